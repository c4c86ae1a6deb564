import type { Server, Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { changeState, type Transitions } from '../../domain/state-machine.ts'
import { rateLimitKey } from '../admission/rate-limit.ts'

export type ConnectionLimit = {
  /** Open connections of all clients together. */
  max: number
  /** Open connections of one address that is not one of our proxies; at most half of all. */
  perAddress: number
  /** Addresses and ranges of proxies: their connections belong to many clients. */
  trustedProxies: readonly string[]
}

/** Connections beyond the limits that Drover still accepts, for health checks only. */
const RESERVED = 16
const RESERVED_PER_ADDRESS = 4
/** How long each of those connections may stay open. */
const RESERVED_MS = 5_000
/** Connections that are being refused: each keeps its file descriptor until its client has the refusal. */
const REFUSING = 8
const REFUSING_MS = 500
/** File descriptors that connections beyond the limits use. */
export const BEYOND_LIMIT = RESERVED + REFUSING

const REFUSAL = [
  'HTTP/1.1 503 Service Unavailable',
  'Retry-After: 2',
  'Connection: close',
  'Content-Length: 0',
  '\r\n',
].join('\r\n')

/**
 * - `new`: accepted by the kernel, and not yet counted.
 * - `counted`: within the limits. Served until it closes.
 * - `reserved`: beyond the limits. May send one request, to a health check, and closes after `RESERVED_MS`.
 * - `refused`: gets the 503 and closes, either at once or because a newer connection took its reserved place.
 *
 * A closed connection keeps its last state.
 */
export type ConnectionState = 'new' | 'counted' | 'reserved' | 'refused'

export const CONNECTION_TRANSITIONS: Transitions<ConnectionState> = {
  new: ['counted', 'reserved', 'refused'],
  counted: [],
  reserved: ['refused'],
  refused: [],
}

const states = new WeakMap<Socket, ConnectionState>()

export function connectionState(socket: Socket): ConnectionState {
  return states.get(socket) ?? 'new'
}

function change(socket: Socket, to: ConnectionState): void {
  states.set(socket, changeState(CONNECTION_TRANSITIONS, connectionState(socket), to))
}

/** Whether a connection is beyond the limits, so that only a health check may be served on it. */
export function isReserved(socket: Socket): boolean {
  const state = connectionState(socket)
  return state === 'reserved' || state === 'refused'
}

/**
 * Load shedding: refuses connections beyond the limits with 503, before reading from them. The newest ones may still
 * send a health check; each takes the place of an older one that has waited without a use. Connections of all sockets
 * that share the port reach `server`, so they are counted together.
 */
export function limitConnections(server: Server, limit: ConnectionLimit): void {
  const { max } = limit
  const perAddress = Math.min(limit.perAddress, Math.ceil(max / 2))
  const isProxy = makeProxyTest(limit.trustedProxies)
  const open = counter()
  const beyond = reservedPlaces(refuser())

  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = rateLimitKey(socket.remoteAddress ?? '')
    const ofAddress = isProxy(socket.remoteAddress) ? max : perAddress
    const counted = open.add(address, max, ofAddress)
    if (counted) {
      change(socket, 'counted')
      socket.once('close', counted)
    } else if (!beyond.add(socket, address)) return
    for (const listener of listeners) listener.call(server, socket)
  })
}

/**
 * The connections that are open beyond the limits, oldest first. A new one closes the oldest of its address, or of
 * all: otherwise idle connections of a proxy would keep its health check out. A health check sends its request at once.
 */
function reservedPlaces(refuse: (socket: Socket) => void) {
  const reservedSockets = new Map<Socket, string>()
  /** A connection that has sent something gets its answer, and closes after it. */
  const oldestIdle = (address: string | null): Socket | null => {
    for (const [socket, its] of reservedSockets) {
      if (socket.bytesRead === 0 && (address === null || its === address)) return socket
    }
    return null
  }
  return {
    /** False: the connection is refused. */
    add(socket: Socket, address: string): boolean {
      let ofAddress = 0
      for (const its of reservedSockets.values()) if (its === address) ofAddress += 1
      if (ofAddress >= RESERVED_PER_ADDRESS || reservedSockets.size >= RESERVED) {
        const pushed = oldestIdle(ofAddress >= RESERVED_PER_ADDRESS ? address : null)
        refuse(pushed ?? socket)
        if (!pushed) return false
        reservedSockets.delete(pushed)
      }
      reservedSockets.set(socket, address)
      change(socket, 'reserved')
      const timer = setTimeout(() => socket.destroy(), RESERVED_MS).unref()
      socket.once('close', () => {
        clearTimeout(timer)
        reservedSockets.delete(socket)
      })
      return true
    },
  }
}

/** Sends 503 and closes; closes at once while as many others are being refused. */
function refuser(): (socket: Socket) => void {
  let refusing = 0
  return (socket) => {
    change(socket, 'refused')
    if (refusing >= REFUSING || socket.writableEnded) {
      socket.destroy()
      return
    }
    refusing += 1
    const timer = setTimeout(() => socket.destroy(), REFUSING_MS).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      refusing -= 1
    })
    socket.end(REFUSAL, () => socket.destroy())
  }
}

/** Counts open connections, in total and by address. */
function counter() {
  const byAddress = new Map<string, number>()
  let all = 0
  return {
    /** Counts one more connection and returns the function that uncounts it; null if a limit is reached. */
    add(address: string, max: number, ofAddress: number): (() => void) | null {
      const now = byAddress.get(address) ?? 0
      if (all >= max || now >= ofAddress) return null
      all += 1
      byAddress.set(address, now + 1)
      return () => {
        all -= 1
        const left = (byAddress.get(address) as number) - 1
        if (left > 0) byAddress.set(address, left)
        else byAddress.delete(address)
      }
    },
  }
}

/** Returns a test for whether an address is one of these addresses or in one of these ranges. */
function makeProxyTest(trusted: readonly string[]): (address: string | undefined) => boolean {
  const ranges = trusted.map((one) =>
    ipaddr.isValidCIDR(one) ? ipaddr.parseCIDR(one) : ([ipaddr.process(one), 128] as const),
  )
  if (ranges.length === 0) return () => false
  return (address) => {
    if (address === undefined || !ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some(
      ([range, bits]) =>
        range.kind() === parsed.kind() &&
        parsed.match(range as ipaddr.IPv4, Math.min(bits, countBits(parsed))),
    )
  }
}

function countBits(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address.kind() === 'ipv4' ? 32 : 128
}
