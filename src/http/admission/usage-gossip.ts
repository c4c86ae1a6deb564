import { randomUUID } from 'node:crypto'
import type { PeerChannel } from '../contract/deps.ts'

/** Tells the other processes what callers used here. */
export type UsageGossip = (name: string, tokens: number) => void

/** Until the others hear of it, each admits what it has left: at most this long. */
const REPORT_MS = 100
/** A process that nobody has heard of for three of these has ended. */
const HELLO_MS = 10_000
/** PostgreSQL's notifications hold 8,000 bytes. The callers who used most go first, the others in the next report. */
const MAX_BYTES = 7_500

type Message = { from: string; used?: [name: string, tokens: number][] }

/**
 * Distributed rate limit by gossip: each process has a whole token bucket for every caller, and takes from it what the
 * other processes admitted, a moment later. A bucket then goes below zero, so what several processes admitted at the same
 * moment is paid back: over seconds a caller gets one limit, however many processes serve them. No request waits for
 * it. Without the channel each process counts for itself, and a process alone sends a greeting now and then.
 */
export function usageGossip(
  channel: PeerChannel,
  usedElsewhere: (name: string, tokens: number) => void,
  { id = randomUUID() as string, nowMs = () => performance.now() } = {},
): UsageGossip {
  /** When each other process was last heard. */
  const peers = new Map<string, number>()
  let used = new Map<string, number>()
  let reports = false

  const send = (message: Omit<Message, 'from'>): Promise<unknown> =>
    channel.send(JSON.stringify({ from: id, ...message }))
  const greet = (): void => {
    for (const [peer, heardMs] of peers) if (nowMs() - heardMs > 3 * HELLO_MS) peers.delete(peer)
    send({}).catch(() => {})
  }
  const hear = (text: string): void => {
    const message = parse(text)
    if (!message) {
      greet()
      return
    }
    if (message.from === id) return
    const isNew = !peers.has(message.from)
    peers.set(message.from, nowMs())
    if (isNew) greet()
    for (const [name, tokens] of message.used ?? []) usedElsewhere(name, tokens)
  }
  const report = (): void => {
    reports = false
    const [now, later] = splitByBytes([...used].sort(([, a], [, b]) => b - a))
    used = new Map(later)
    if (later.length > 0) reportSoon()
    send({ used: now }).catch(() => {
      for (const [name, tokens] of now) add(name, tokens)
    })
  }
  const reportSoon = (): void => {
    if (reports) return
    reports = true
    setTimeout(report, REPORT_MS).unref()
  }
  const add = (name: string, tokens: number): void => {
    if (peers.size === 0) return
    used.set(name, (used.get(name) ?? 0) + tokens)
    reportSoon()
  }

  channel.listen(hear)
  setInterval(greet, HELLO_MS).unref()
  return add
}

function splitByBytes(used: [string, number][]): [now: [string, number][], later: [string, number][]] {
  let bytes = 100
  const end = used.findIndex((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1
    return bytes > MAX_BYTES
  })
  return end === -1 ? [used, []] : [used.slice(0, end), used.slice(end)]
}

function parse(text: string): Message | null {
  try {
    const message = JSON.parse(text) as Message
    return typeof message.from === 'string' ? message : null
  } catch {
    return null
  }
}
