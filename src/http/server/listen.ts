import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { fileDescriptors } from '../../operations/concurrency/file-descriptors.ts'
import { INTAKE_LIMITS } from '../contract/intake-limits.ts'
import { BEYOND_LIMIT, limitConnections } from '../load-shedding/connection-limit.ts'

/**
 * From each listening socket, Node accepts one new connection per turn of its event loop (libuv since 1.45). Under load
 * a turn is long: 500 new clients waited seconds before any of our code saw them. With this many sockets on the port,
 * as many connections are accepted per turn; only on systems that spread connections over sockets.
 */
const SOCKETS = process.platform === 'linux' ? 64 : 1
/** With few file descriptors, every listening socket uses one that a client could have. */
const FEW_SOCKETS = Math.min(SOCKETS, 8)
const FEW_DESCRIPTORS = 1_024

/**
 * Connections that a process holds at once; one beyond them is closed before anything is read from it. An idle
 * connection costs 27 kB (measured, Node 24): 8,000 take 220 MB, on top of an idle process (docs/operations/scale.md).
 */
const MAX_CONNECTIONS = 8_000
/** File descriptors reserved for the process itself: listening sockets, database connections, calls to carriers, files. */
const MIN_KEPT = 96
const SHARE_KEPT = 1 / 4

type Listening = {
  host: string
  port: number
  max?: number
  perAddress?: number
  trustedProxies?: readonly string[]
  descriptors?: number
}

/**
 * Listens like `app.listen` and returns the address; rejects if any process, another Drover included, has the port
 * already.
 */
export async function listen(
  app: FastifyInstance,
  {
    host,
    port,
    descriptors = fileDescriptors(),
    max = maxConnections(descriptors),
    perAddress = INTAKE_LIMITS.perAddress,
    trustedProxies = [],
  }: Listening,
): Promise<string> {
  limitConnections(app.server, { max, perAddress, trustedProxies })
  if (SOCKETS === 1 || !(await canShare(host))) return app.listen({ host, port })
  // A shared port is shared with all processes of this user, so we first open it unshared to check that it is free.
  if (port !== 0) await closed(await listening({ host, port }))
  const shared = { host, port, reusePort: true }
  const address = await app.listen(shared)
  const at = { ...shared, port: (app.server.address() as AddressInfo).port }
  const toApp = (socket: Socket) => app.server.emit('connection', socket)
  const sockets = descriptors < FEW_DESCRIPTORS ? FEW_SOCKETS : SOCKETS
  for (let more = 1; more < sockets; more++) app.alsoListening.push(await listening(at, toApp))
  return address
}

/** Leaves file descriptors for the process's own work: a process without any cannot answer even a health check. */
export function maxConnections(descriptors: number): number {
  const reserved = Math.max(MIN_KEPT + BEYOND_LIMIT, Math.ceil(descriptors * SHARE_KEPT))
  return Math.max(1, Math.min(MAX_CONNECTIONS, descriptors - reserved))
}

/** Finds a free port, for callers that must know the number before they listen. */
export async function freePort(host: string): Promise<number> {
  const server = await listening({ host, port: 0 })
  const { port } = server.address() as AddressInfo
  await closed(server)
  return port
}

/** Some sandboxes lack shared ports although they run Linux. */
async function canShare(host: string): Promise<boolean> {
  try {
    await closed(await listening({ host, port: 0, reusePort: true }))
    return true
  } catch {
    return false
  }
}

/** The same options as HTTP's own server. */
const AS_HTTP = { allowHalfOpen: true, noDelay: true }

function listening(at: ListenOptions, onConnection: (socket: Socket) => void = () => {}): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(AS_HTTP, onConnection)
    // After listening, an error concerns a connection that could not be accepted; its client may retry.
    server.on('error', reject)
    server.listen(at, () => resolve(server))
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
