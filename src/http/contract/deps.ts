import type { Registry } from 'prom-client'
import type { Tracer } from '../../observability/tracing/span.ts'
import type { Deps } from '../../operations/context/deps.ts'
import type { IntakeLimits } from './intake-limits.ts'

/** What the door needs beside the operations' own. */
export type HttpDeps = Deps & {
  /** Bearer of `/admin`. */
  operatorToken: string
  version: string
  /** Addresses and ranges whose `X-Forwarded-For` is believed; nobody's unless said. */
  trustedProxies?: readonly string[]
  /** What this process takes in at once; `INTAKE_LIMITS` unless said. */
  limits?: IntakeLimits
  registry: Registry
  /** Makes spans of requests; null or absent: traces that come are continued, and nobody is told of them. */
  tracer?: Tracer | null
  /** What maps are drawn on; null or absent: on a drawing of our own. */
  mapTiles?: { url: string; origins: readonly string[]; attribution: string | null } | null
  /** Null when requests are served and the workers run; else why not, for `/health/ready`. */
  notReady(): string | null | Promise<string | null>
  /** What an operator is to see to, though requests are served; for `/health/ready`. */
  warnings?(): readonly string[]
  /** `/metrics` is answered at a port of its own, and not here. */
  hasOwnMetricsPort?: boolean
}
