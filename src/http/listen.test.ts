import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { listen } from './listen.ts'
import { closeServer, stoppable } from './stop.ts'

const HOST = '127.0.0.1'

function app(): FastifyInstance {
  const one = Fastify()
  stoppable(one)
  one.get('/', async () => 'here')
  return one
}

test('every connection is served, on whichever of the sockets it came', async (t) => {
  const one = app()
  t.after(() => closeServer(one, { drainMs: 0 }))
  const address = await listen(one, { host: HOST, port: 0 })
  // The kernel spreads connections by chance: all of 200 on one of the sockets does not happen.
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const answer = await fetch(address, { headers: { connection: 'close' } })
      return answer.text()
    }),
  )
  assert.deepEqual(new Set(answers), new Set(['here']))
  if (process.platform === 'linux') assert.equal(one.alsoListening.length, 15)
})

test('a port that another has is not shared', async (t) => {
  const first = app()
  t.after(() => closeServer(first, { drainMs: 0 }))
  const { port } = new URL(await listen(first, { host: HOST, port: 0 }))
  await assert.rejects(listen(app(), { host: HOST, port: Number(port) }), { code: 'EADDRINUSE' })
})

test('a stop waits for the answers of all of its sockets, and leaves the port free', async () => {
  const one = app()
  let answer = (): void => {}
  const asked = new Promise<void>((resolve) => {
    let waiting = 0
    const all = new Promise<void>((go) => {
      answer = go
    })
    one.get('/slow', async () => {
      if (++waiting === 32) resolve()
      await all
      return 'late'
    })
  })
  const { port, origin } = new URL(await listen(one, { host: HOST, port: 0 }))
  const answers = Array.from({ length: 32 }, () =>
    fetch(`${origin}/slow`, { headers: { connection: 'close' } }),
  )
  await asked
  const stopped = closeServer(one, { drainMs: 0, graceMs: 60_000 })
  await nobodyListens(Number(port))
  answer()
  for (const each of answers) assert.equal(await (await each).text(), 'late')
  await stopped

  const next = app()
  await listen(next, { host: HOST, port: Number(port) })
  await closeServer(next, { drainMs: 0 })
})

async function nobodyListens(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ host: HOST, port })
    const refused = await new Promise<boolean>((tell) => {
      socket.once('connect', () => tell(false)).once('error', () => tell(true))
    })
    socket.destroy()
    if (refused) return
    await new Promise((turn) => setImmediate(turn))
  }
}
