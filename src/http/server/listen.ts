import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { INTAKE_LIMITS } from '../contract/intake-limits.ts'
import { fileDescriptors, limitConnections } from '../load-shedding/connection-limit.ts'

/**
 * From each listening socket Node takes one new connection in a turn of its event loop (libuv since 1.45), and under
 * load a turn is long: 500 new callers waited seconds there, before anything of ours saw them. So many sockets share
 * the port, and as many connections are taken in a turn; only where the system spreads connections over them.
 */
const SOCKETS = process.platform === 'linux' ? 64 : 1
/** Where file descriptors are few, a socket that listens takes one from a caller. */
const FEW_SOCKETS = Math.min(SOCKETS, 8)
const FEW_DESCRIPTORS = 1_024

/**
 * Connections that a process holds at once; one beyond them is closed as it comes, before anything is read. An idle
 * one costs 27 kB (measured, Node 24): all of them 220 MB, beside the 142 MB of an idle process.
 */
const MOST_CONNECTIONS = 8_000
/** Descriptors that are never a caller's: the database's connections, calls to carriers, files. */
const LEAST_KEPT = 96
const SHARE_KEPT = 1 / 4

type Listening = {
  host: string
  port: number
  most?: number
  perAddress?: number
  trustedProxies?: readonly string[]
  descriptors?: number
}

/** Listens as `app.listen` does, and answers the address; rejects where anybody has the port already, another Drover too. */
export async function listen(
  app: FastifyInstance,
  {
    host,
    port,
    descriptors = fileDescriptors(),
    most = mostConnections(descriptors),
    perAddress = INTAKE_LIMITS.perAddress,
    trustedProxies = [],
  }: Listening,
): Promise<string> {
  limitConnections(app.server, { most, perAddress, trustedProxies })
  if (SOCKETS === 1 || !(await canShare(host))) return app.listen({ host, port })
  // Who shares a port shares it with all of this user's processes: asked for alone first, it is ours.
  if (port !== 0) await closed(await listening({ host, port }))
  const shared = { host, port, reusePort: true }
  const address = await app.listen(shared)
  const at = { ...shared, port: (app.server.address() as AddressInfo).port }
  const toApp = (socket: Socket) => app.server.emit('connection', socket)
  const sockets = descriptors < FEW_DESCRIPTORS ? FEW_SOCKETS : SOCKETS
  for (let more = 1; more < sockets; more++) app.alsoListening.push(await listening(at, toApp))
  return address
}

/** As many as leave descriptors for the process's own work: a process without any answers nobody, not even who asks how it is. */
export function mostConnections(descriptors: number): number {
  const kept = Math.max(LEAST_KEPT, Math.ceil(descriptors * SHARE_KEPT))
  return Math.max(1, Math.min(MOST_CONNECTIONS, descriptors - kept))
}

/** A port that nobody has: to be known before it is listened on. */
export async function freePort(host: string): Promise<number> {
  const server = await listening({ host, port: 0 })
  const { port } = server.address() as AddressInfo
  await closed(server)
  return port
}

/** Some sandboxes have no shared ports, though they are Linux. */
async function canShare(host: string): Promise<boolean> {
  try {
    await closed(await listening({ host, port: 0, reusePort: true }))
    return true
  } catch {
    return false
  }
}

/** As HTTP's own server takes its connections. */
const AS_HTTP = { allowHalfOpen: true, noDelay: true }

function listening(at: ListenOptions, onConnection: (socket: Socket) => void = () => {}): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(AS_HTTP, onConnection)
    // Of one that listens it is a connection that could not be taken, which is its caller's to try again.
    server.on('error', reject)
    server.listen(at, () => resolve(server))
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
