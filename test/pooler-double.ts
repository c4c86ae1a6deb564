import type { AddressInfo } from 'node:net'
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/**
 * What a connection pooler does at the wire that PostgreSQL does not, for tests without one. Both doubles were compared
 * with PgBouncer 1.25.2.
 */

/** The settings of a connection that PgBouncer knows without configuration. */
const ACCEPTED = new Set(['user', 'database', 'application_name', 'client_encoding', 'timezone', 'datestyle'])

/** A proxy that rejects the settings that a pooler does not know. `connections` were made through it. */
export async function rejectingPooler(
  t: TestContext,
  databaseUrl: string,
): Promise<{ url: string; connections(): number }> {
  const { hostname, port } = new URL(databaseUrl)
  let connections = 0
  const server = createServer((client) => {
    client.once('data', (startup: Buffer) => {
      const refused = settingsOf(startup).find((name) => !ACCEPTED.has(name))
      if (refused !== undefined) return client.end(failure(`unsupported startup parameter: ${refused}`))
      connections += 1
      const upstream = connectTo(Number(port), hostname)
      upstream.write(startup)
      pipeBoth(client, upstream)
    })
    client.on('error', () => {})
  })
  return { url: await addressOf(t, server, databaseUrl), connections: () => connections }
}

/** Answers every client from one and the same server process, as in transaction mode. */
export function sharedServer(t: TestContext, databaseUrl: string): Promise<string> {
  const row = { version: '15.0', number: '150000', pid: '4711' }
  const answer = Buffer.concat([
    message('T', int16(3), ...Object.keys(row).map((name) => Buffer.concat([text(name), column()]))),
    message(
      'D',
      int16(3),
      ...Object.values(row).map((value) => Buffer.concat([int32(value.length), Buffer.from(value)])),
    ),
    message('C', text('SELECT 1')),
    READY,
  ])
  const server = createServer((client) => {
    client.once('data', () => {
      client.write(Buffer.concat([message('R', int32(0)), READY]))
      client.on('data', (data) => data[0] === QUERY && client.write(answer))
    })
    client.on('error', () => {})
  })
  return addressOf(t, server, databaseUrl)
}

const QUERY = 'Q'.charCodeAt(0)
const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.from([0, 0, value >> 8, value & 255])
const text = (value: string) => Buffer.from(`${value}\0`)
/** Of no table, as text (type 25). */
const column = () => Buffer.concat([int32(0), int16(0), int32(25), int16(0), int32(0), int16(0)])
const READY = message('Z', Buffer.from('I'))

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function failure(words: string): Buffer {
  const fields = [`SFATAL`, 'VFATAL', 'C08P01', `M${words}`].map(text)
  return message('E', ...fields, Buffer.from([0]))
}

/** The names of the settings in a start-up message, also those in `options`. */
function settingsOf(startup: Buffer): string[] {
  const words = startup.subarray(8).toString().split('\0')
  const pairs = Array.from({ length: words.length >> 1 }, (_, n) => words.slice(2 * n, 2 * n + 2))
  return pairs.flatMap(([name = '', value = '']) => {
    if (name === '') return []
    return name === 'options' ? [...value.matchAll(/-c (\w+)=/g)].map(([, option = '']) => option) : [name]
  })
}

function pipeBoth(client: Socket, upstream: Socket): void {
  client.pipe(upstream).pipe(client)
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
}

async function addressOf(t: TestContext, server: Server, databaseUrl: string): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return url.href
}
