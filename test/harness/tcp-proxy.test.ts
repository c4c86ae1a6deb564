import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { until } from '../wait-until.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

test('a proxy forwards, delays or corrupts bytes, and counts waiting clients', async (t) => {
  const { proxy, message } = await echo(t)
  const client = await caller(t, proxy)

  await t.test('the proxy forwards bytes unchanged and in order', async () => {
    assert.equal(await ask(client, 'one'), 'one')
    const long = 'a long word '.repeat(20_000)
    assert.equal(await ask(client, long), long)
    assert.equal(proxy.waiting(), 0)
  })

  await t.test('a drip is slow and complete', async () => {
    proxy.set({ kind: 'drip', bytes: 3 })
    assert.equal(await ask(client, 'word by word'), 'word by word')
    proxy.set({ kind: 'none' })
  })

  await t.test('a delayed response is late and complete', async () => {
    proxy.set({ kind: 'delay', ms: 20 })
    assert.equal(await ask(client, 'later'), 'later')
    proxy.set({ kind: 'none' })
  })

  await t.test('garbage has the length of the response and other bytes', async () => {
    proxy.set({ kind: 'garbage' })
    const answer = await ask(client, 'a good answer')
    assert.equal(answer.length, 'a good answer'.length)
    assert.notEqual(answer, 'a good answer')
    proxy.set({ kind: 'none' })
  })

  await t.test(
    'a black hole passes nothing until it ends, then the bytes that it received meanwhile',
    async () => {
      proxy.set({ kind: 'black_hole' })
      const before = message.length
      const answer = ask(client, 'held')
      await until(() => proxy.waiting() === 1)
      assert.equal(message.length, before)
      proxy.set({ kind: 'none' })
      assert.equal(await answer, 'held')
    },
  )

  await t.test('a client that disconnects while it waits is recorded; an idle one is not', async () => {
    const idle = await caller(t, proxy)
    await ask(idle, 'hello')
    idle.destroy()
    const before = proxy.abandonedAtMs.length
    proxy.set({ kind: 'black_hole' })
    const busy = await caller(t, proxy)
    busy.write('nobody answers')
    await until(() => proxy.waiting() === 1)
    busy.destroy()
    await until(() => proxy.abandonedAtMs.length === before + 1)
    proxy.set({ kind: 'none' })
  })

  await t.test(
    'a cut ends every connection, by RST or by FIN, and returns how many clients waited',
    async () => {
      for (const how of ['reset', 'close'] as const) {
        const one = await caller(t, proxy)
        assert.equal(await ask(one, 'still here'), 'still here')
        const ended = new Promise((resolve) => one.once('close', resolve))
        assert.equal(proxy.cut(how), 0)
        await ended
      }
    },
  )
})

async function echo(t: TestContext): Promise<{ proxy: TcpProxy; message: string[] }> {
  const message: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      message.push(bytes.toString())
      socket.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await startTcpProxy(() => (server.address() as AddressInfo).port)
  t.after(async () => {
    await proxy.stop()
    server.close()
  })
  return { proxy, message }
}

async function caller(t: TestContext, { port }: TcpProxy): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Sends a text and reads as many bytes back. */
async function ask(socket: Socket, text: string): Promise<string> {
  let received = ''
  const receive = (bytes: Buffer) => {
    received += bytes.toString('latin1')
  }
  socket.on('data', receive)
  socket.write(text)
  await until(() => received.length >= text.length)
  socket.off('data', receive)
  return received
}
