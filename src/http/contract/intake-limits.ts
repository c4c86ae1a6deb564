const MIB = 1024 * 1024

/** Load shedding: how much one process accepts at once, in total and from one address. */
export type IntakeLimits = Readonly<{
  /** Bytes of request bodies, over all connections. */
  bodyBytes: number
  /** How long one body may take to arrive; twice as long for a body with a file, and longer for a driver's photo. */
  bodyMs: number
  /** Connections, and arriving bodies, of one address. */
  perAddress: number
}>

/** An idle process takes 110 to 140 MB (docs/operations/scale.md), and a pod has 512 MiB. */
export const INTAKE_LIMITS: IntakeLimits = { bodyBytes: 64 * MIB, bodyMs: 10_000, perAddress: 1_024 }
