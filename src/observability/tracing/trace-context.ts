import { randomFillSync } from 'node:crypto'

/** Reference to a span: W3C Trace Context, level 1. */
export type TraceContext = { traceId: string; spanId: string; sampled: boolean }

/** The span that a `traceparent` names; null if the header is missing or invalid. */
export function readTraceparent(header: unknown): TraceContext | null {
  if (typeof header !== 'string') return null
  const [, traceId, spanId, flags] = GRAMMAR.exec(header) ?? []
  if (!traceId || !spanId || !flags || ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 }
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

export const newTraceId = (): string => randomHex(16)
export const newSpanId = (): string => randomHex(8)

/** Random bytes are fetched in bulk: one system call costs more than the rest of a span. */
const random = Buffer.alloc(4_096)
let used = random.length

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += bytes
  return random.toString('hex', used - bytes, used)
}

const GRAMMAR = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const ALL_ZERO = /^0+$/
const SAMPLED = 0x01
