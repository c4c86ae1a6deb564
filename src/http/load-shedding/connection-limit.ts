import { readFileSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { rateLimitKey } from '../admission/rate-limit-key.ts'

export type ConnectionLimit = {
  /** Open connections of all clients together. */
  most: number
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

const reserved = new WeakSet<Socket>()

/** Whether a connection is beyond the limits. It may send one request, to a health check. */
export function isReserved(socket: Socket): boolean {
  return reserved.has(socket)
}

/**
 * Load shedding: closes connections beyond the limits before reading from them. Connections of all sockets that share
 * the port reach `server`, so they are counted together.
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

/** Counts open connections, in total and by address. */
function counter() {
  const byAddress = new Map<string, number>()
  let all = 0
  return {
    /** Counts one more connection and returns the function that uncounts it; null if a limit is reached. */
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

/** Returns a test for whether an address is one of these addresses or in one of these ranges. */
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

/** File descriptors that this process may have open; a very large number where the system does not report it. */
export function fileDescriptors(): number {
  if (process.platform !== 'linux') return Number.MAX_SAFE_INTEGER
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? Number.MAX_SAFE_INTEGER : Number(soft)
}
