import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Socket } from 'node:net'
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

/** Sockets of one port on Linux; one on other systems. */
const SHARED = 64
const NOT_SHARED =
  process.platform !== 'linux' &&
  `${process.platform} does not spread the connections of a port over its sockets`

test('every connection is served', async (t) => {
  const one = app()
  t.after(() => closeServer(one, { drainMs: 0 }))
  const address = await listen(one, { host: HOST, port: 0 })
  assert.deepEqual(new Set(await ask(address, 50)), new Set(['here']))
})

test('on Linux several sockets listen at the port, and each gets connections', {
  skip: NOT_SHARED,
}, async (t) => {
  const one = app()
  t.after(() => closeServer(one, { drainMs: 0 }))
  const address = await listen(one, { host: HOST, port: 0 })
  const others = one.alsoListening
  assert.equal(others.length, SHARED - 1, 'this system does not let sockets share a port (SO_REUSEPORT)')
  const port = Number(new URL(address).port)
  for (const server of others) assert.equal((server.address() as AddressInfo | null)?.port, port)

  const counts = [0, ...others.map(() => 0)]
  const count = (index: number, by: number) => {
    counts[index] = (counts[index] ?? 0) + by
  }
  // Connections of the other sockets are handed to the app's server too; the rest arrived on its own socket.
  one.server.on('connection', () => count(0, 1))
  for (const [index, server] of others.entries()) {
    server.on('connection', () => {
      count(index + 1, 1)
      count(0, -1)
    })
  }
  // The kernel spreads connections at random: the chance that 2,000 of them miss one of 64 sockets is 1 in 10^11.
  for (let received = 0; received < 2_000 && counts.includes(0); received += 50) {
    assert.deepEqual(new Set(await ask(address, 50)), new Set(['here']))
  }
  assert.ok(!counts.includes(0), `of so many connections its sockets got ${counts.join(', ')}`)
})

/** Each request uses its own connection. */
function ask(address: string, times: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: times }, async () => {
      const answer = await fetch(address, { headers: { connection: 'close' } })
      return answer.text()
    }),
  )
}

test('a connection over the limit is closed unread, and accepted when others have closed', async (t) => {
  const one = app()
  t.after(() => closeServer(one, { drainMs: 0 }))
  const address = await listen(one, { host: HOST, port: 0, max: SHARED })
  const port = Number(new URL(address).port)
  const callers = await Promise.all(Array.from({ length: 200 }, () => openConnection(port)))
  const open = callers.filter((socket) => socket !== null)
  assert.ok(open.length >= 1 && open.length <= SHARED, `${open.length} were let in`)

  const closing = open.map((socket) => new Promise((closed) => socket.once('close', closed)))
  for (const socket of open) socket.destroy()
  await Promise.all(closing)
  while ((await openConnection(port).then((socket) => socket?.destroy() ?? null)) === null) await nextTick()
})

/** A connection that sent one request and stays open; null if it was refused or closed. */
function openConnection(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'))
    socket.once('data', (bytes) => String(bytes).startsWith('HTTP/1.1 200') && resolve(socket))
    socket.on('error', () => {})
    socket.once('close', () => resolve(null))
  })
}

const nextTick = (): Promise<void> => new Promise((done) => setImmediate(done))

test('a port in use is not shared', async (t) => {
  const first = app()
  t.after(() => closeServer(first, { drainMs: 0 }))
  const { port } = new URL(await listen(first, { host: HOST, port: 0 }))
  await assert.rejects(listen(app(), { host: HOST, port: Number(port) }), { code: 'EADDRINUSE' })
})

test('a stop waits for the responses of all sockets, and frees the port', async () => {
  const one = app()
  let answer = (): void => {}
  const received = new Promise<void>((resolve) => {
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
  await received
  const stopped = closeServer(one, { drainMs: 0, withinMs: 60_000 })
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
    const refused = await new Promise<boolean>((settle) => {
      socket.once('connect', () => settle(false)).once('error', () => settle(true))
    })
    socket.destroy()
    if (refused) return
    await nextTick()
  }
}
