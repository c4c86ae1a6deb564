import { readFileSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { rateLimitKey } from '../admission/rate-limit-key.ts'

export type ConnectionLimit = {
  /** Connections at once, of everybody. */
  most: number
  /** Of one address that is no proxy of ours; at most half of all. */
  perAddress: number
  /** Addresses and ranges whose connections are those of many callers. */
  trustedProxies: readonly string[]
}

/** Connections beyond the limits that Drover still accepts, for health checks only. */
const RESERVED = 16
const RESERVED_PER_ADDRESS = 4
/** How long each of those may take. */
const RESERVED_MS = 5_000

const reserved = new WeakSet<Socket>()

/** Whether a connection is beyond the limits: it may ask for the health of the process, once. */
export function isReserved(socket: Socket): boolean {
  return reserved.has(socket)
}

/**
 * Hangs up on connections beyond the limits before anything is read from them. Those of all sockets that share the port
 * come to `server`, so all are counted together.
 */
export function limitConnections(server: Server, limit: ConnectionLimit): void {
  const { most } = limit
  const perAddress = Math.min(limit.perAddress, Math.ceil(most / 2))
  const isProxy = proxiesOf(limit.trustedProxies)
  const open = counter()
  const beyond = counter()

  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = rateLimitKey(socket.remoteAddress ?? '')
    const ofAddress = isProxy(socket.remoteAddress) ? most : perAddress
    const counted =
      open.add(address, most, ofAddress) ??
      beyond.add(address, RESERVED, RESERVED_PER_ADDRESS, () => keepShort(socket))
    if (!counted) {
      socket.destroy()
      return
    }
    socket.once('close', counted)
    for (const listener of listeners) listener.call(server, socket)
  })
}

function keepShort(socket: Socket): void {
  reserved.add(socket)
  const timer = setTimeout(() => socket.destroy(), RESERVED_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Counts what is open, over all and of each address. */
function counter() {
  const byAddress = new Map<string, number>()
  let all = 0
  return {
    /** Counts one more and answers what takes it back; null where there are too many. */
    add(address: string, most: number, ofAddress: number, onAdded?: () => void): (() => void) | null {
      const now = byAddress.get(address) ?? 0
      if (all >= most || now >= ofAddress) return null
      all += 1
      byAddress.set(address, now + 1)
      onAdded?.()
      return () => {
        all -= 1
        const left = (byAddress.get(address) as number) - 1
        if (left > 0) byAddress.set(address, left)
        else byAddress.delete(address)
      }
    },
  }
}

/** Whether an address is one of these, or in one of these ranges. */
function proxiesOf(trusted: readonly string[]): (address: string | undefined) => boolean {
  const ranges = trusted.map((one) =>
    ipaddr.isValidCIDR(one) ? ipaddr.parseCIDR(one) : ([ipaddr.process(one), 128] as const),
  )
  if (ranges.length === 0) return () => false
  return (address) => {
    if (address === undefined || !ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some(
      ([range, bits]) =>
        range.kind() === parsed.kind() && parsed.match(range as ipaddr.IPv4, Math.min(bits, bitsOf(parsed))),
    )
  }
}

function bitsOf(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address.kind() === 'ipv4' ? 32 : 128
}

/** File descriptors that this process may have open; a very large number where the system does not say. */
export function fileDescriptors(): number {
  if (process.platform !== 'linux') return Number.MAX_SAFE_INTEGER
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? Number.MAX_SAFE_INTEGER : Number(soft)
}
