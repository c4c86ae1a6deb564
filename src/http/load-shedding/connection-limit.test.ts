import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server, Socket } from 'node:net'
import { test } from 'node:test'
import { maxConnections } from '../server/listen.ts'
import { type ConnectionLimit, connectionState, isReserved, limitConnections } from './connection-limit.ts'

type TestSocket = Socket & { isOpen: boolean }

function serverWith(limit: Partial<ConnectionLimit>) {
  const server = new EventEmitter() as unknown as Server
  const served: TestSocket[] = []
  server.on('connection', (socket) => served.push(socket as TestSocket))
  limitConnections(server, { max: 20, perAddress: 5, trustedProxies: [], ...limit })
  const connect = (remoteAddress: string): TestSocket => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      isOpen: true,
      writableEnded: false,
      bytesRead: 0,
      end: () => socket.destroy(),
      destroy: () => {},
    }) as unknown as TestSocket
    socket.destroy = () => {
      socket.isOpen = false
      socket.emit('close')
      return socket
    }
    server.emit('connection', socket)
    return socket
  }
  const many = (count: number, address: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => connect(address(n)))
  return { connect, many, served }
}

const countOf = (sockets: readonly TestSocket[]) => ({
  served: sockets.filter((socket) => socket.isOpen && !isReserved(socket)).length,
  reserved: sockets.filter((socket) => socket.isOpen && isReserved(socket)).length,
})

test('an address has a limit of connections, and a few reserved for health checks', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { connect, many, served } = serverWith({})
  const sockets = many(12, () => '203.0.113.1')
  assert.deepEqual(countOf(sockets), { served: 5, reserved: 4 })
  assert.equal(served.length, 12)
  assert.deepEqual(countOf([connect('203.0.113.2')]), { served: 1, reserved: 0 })
  sockets[0]?.destroy()
  assert.deepEqual(countOf([connect('203.0.113.1')]), { served: 1, reserved: 0 })
  t.mock.timers.tick(5_000)
  assert.deepEqual(countOf(sockets), { served: 4, reserved: 0 }, 'and not for long')
})

test('a new connection over the limit closes the oldest that has sent nothing, and no other', () => {
  const { connect, many } = serverWith({ perAddress: 1 })
  const [, ...beyond] = many(5, () => '203.0.113.1') as [
    TestSocket,
    TestSocket,
    TestSocket,
    TestSocket,
    TestSocket,
  ]
  Object.assign(beyond[0] as TestSocket, { bytesRead: 1 })
  const newest = connect('203.0.113.1')
  assert.deepEqual(
    [...beyond, newest].map(({ isOpen }) => isOpen),
    [true, false, true, true, true],
  )
  for (const socket of [...beyond, newest]) Object.assign(socket, { bytesRead: 1 })
  assert.equal(connect('203.0.113.1').isOpen, false)
})

test('a connection is counted, reserved or refused, and a newer one refuses a reserved one', () => {
  const { connect } = serverWith({ perAddress: 1 })
  const counted = connect('203.0.113.1')
  assert.equal(connectionState(counted), 'counted')
  const reserved = [1, 2, 3, 4].map(() => connect('203.0.113.1'))
  assert.deepEqual(reserved.map(connectionState), Array(4).fill('reserved'))

  assert.equal(connectionState(connect('203.0.113.1')), 'reserved')
  assert.deepEqual(reserved.map(connectionState), ['refused', 'reserved', 'reserved', 'reserved'])
  assert.equal(isReserved(reserved[0] as TestSocket), true, 'a request on it would be served')

  for (const socket of reserved) Object.assign(socket, { bytesRead: 1 })
  Object.assign(connect('203.0.113.1'), { bytesRead: 1 })
  counted.destroy()
  assert.equal(connectionState(counted), 'counted', 'a closed connection keeps its last state')
  assert.equal(connectionState(connect('203.0.113.1')), 'counted', 'its place is free')
})

test('all addresses together have a limit, and one address at most half of it', () => {
  const { many } = serverWith({ perAddress: 1_000 })
  assert.deepEqual(countOf(many(20, () => '203.0.113.1')), { served: 10, reserved: 4 })
  assert.deepEqual(countOf(many(40, (n) => `198.51.100.${n}`)), { served: 10, reserved: 16 })
})

test('an IPv6 /64 network counts as one address, and a trusted proxy is not counted', () => {
  const { many } = serverWith({ trustedProxies: ['10.0.0.0/8', '2001:db8:f::1'] })
  assert.deepEqual(countOf(many(8, (n) => `2001:db8:1:2::${n}`)), { served: 5, reserved: 3 })
  assert.deepEqual(countOf(many(7, () => '::ffff:10.1.2.3')), { served: 7, reserved: 0 })
  assert.deepEqual(countOf(many(7, () => '2001:db8:f::1')), { served: 7, reserved: 0 })
})

test('with few file descriptors the process reserves some for its own work', () => {
  assert.deepEqual(
    [128, 256, 1_024, 4_096, 20_000, Number.MAX_SAFE_INTEGER].map(maxConnections),
    [8, 136, 768, 3_072, 8_000, 8_000],
  )
})
