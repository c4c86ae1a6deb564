import { randomBytes } from 'node:crypto'

/** A W3C trace that came in with the request: we are its next span. */
export type Trace = { traceId: string; traceparent: string }

/** The trace to go on with, or null where none came or what came is none (W3C Trace Context, level 1). */
export function traceOf(header: string | string[] | undefined): Trace | null {
  if (typeof header !== 'string') return null
  const [, traceId, parentId, flags] = GRAMMAR.exec(header) ?? []
  if (!traceId || !parentId || ALL_ZERO.test(traceId) || ALL_ZERO.test(parentId)) return null
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` }
}

const GRAMMAR = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const ALL_ZERO = /^0+$/
