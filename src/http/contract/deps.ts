import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import type { Tracer } from '../../observability/tracing/span.ts'
import type { Deps } from '../../operations/deps.ts'
import type { IntakeLimits } from './intake-limits.ts'

/** A channel that every process hears, its own messages included. A message may be lost. */
export type PeerChannel = {
  send(message: string): Promise<unknown>
  /** `heard` gets '' when messages may have been missed. */
  listen(heard: (message: string) => void): void
}

/** Runs reads on a replica that has all that was committed before, else on the primary (`asOfMs` null). */
export type ReplicaReads = {
  read<T>(work: (db: Pool) => Promise<T>): Promise<{ value: T; asOfMs: number | null }>
}

/** What the HTTP layer needs beyond the operations' dependencies. */
export type HttpDeps = Deps & {
  /** Bearer token of `/admin`. */
  operatorToken: string
  version: string
  /** The commit that this runs from; absent or null: unknown. */
  commit?: string | null
  /** Addresses and ranges whose `X-Forwarded-For` is trusted; by default no address is. */
  trustedProxies?: readonly string[]
  /** What this process accepts at once; defaults to `INTAKE_LIMITS`. */
  limits?: IntakeLimits
  registry: Registry
  /** The other processes that serve; absent: each process counts rate limits for itself. */
  peers?: PeerChannel
  /** For endpoints that read a replica; null or absent: the primary answers. */
  readReplica?: ReplicaReads | null
  /** Creates spans for requests. Null or absent: incoming traces are continued, but no spans are exported. */
  tracer?: Tracer | null
  /** Background tiles of maps; null or absent: a drawing of our own. */
  mapTiles?: { url: string; origins: readonly string[]; attribution: string | null } | null
  /** Null when requests are served and the workers run; otherwise the reason, for `/health/ready`. */
  notReady(): string | null | Promise<string | null>
  /** Problems that an operator should fix although requests are served; for `/health/ready`. */
  warnings?(): readonly string[]
  /** `/metrics` is served on its own port, not here. */
  hasOwnMetricsPort?: boolean
}
