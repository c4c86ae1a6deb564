import { z } from 'zod'

const shared = {
  /** The operation's name; `*` is any. */
  operation: z.string().min(1).default('*'),
  /** How often; null is until it is removed. */
  times: z.number().int().min(1).nullable().default(1),
  /** 1 is each matching request, 20 each twentieth. */
  every: z.number().int().min(1).default(1),
}

/**
 * What can go wrong on demand. `status`: refused with it, nothing done. `lost`: done, and the connection cut without
 * an answer. `cut`: cut before anything is done. `slow`: waits, then does it. `slow_answer`: does it, then waits.
 * `garbled`: done, and half of an answer that is no JSON any more. `failed_answer`: done, and answered with the carrier's
 * own words for a time-out or an internal failure, under this status (400 unless given).
 * `empty`: a list answers as if it held nothing.
 */
export const FAULT = z.discriminatedUnion('kind', [
  z.strictObject({ ...shared, kind: z.literal('status'), status: z.number().int().min(400).max(599) }),
  z.strictObject({ ...shared, kind: z.enum(['lost', 'cut', 'garbled', 'empty']) }),
  z.strictObject({
    ...shared,
    kind: z.literal('failed_answer'),
    status: z.number().int().min(400).max(599).default(400),
  }),
  z.strictObject({
    ...shared,
    kind: z.enum(['slow', 'slow_answer']),
    ms: z.number().int().min(1).max(600_000),
  }),
])

export type NewFault = z.input<typeof FAULT>
type AskedFault = z.infer<typeof FAULT>
export type Fault = AskedFault & { id: number }

export type FaultDesk = {
  /** What a fault of this carrier is. */
  schema: z.ZodType<AskedFault, NewFault>
  /** Answers the fault with its id. Throws an Error when it is not one, or of no operation that there is. */
  add(fault: NewFault): Fault
  /** False where there is none of that id (any more). */
  remove(id: number): boolean
  clear(): void
  list(): Fault[]
  /** Those that strike this request, in the order they were asked for; each counts as used. */
  strike(operation: string): Fault[]
}

type Standing = { fault: Fault; left: number; seen: number }

/** `operations`: their names; a fault of another would never strike. */
export function faultDesk(operations: readonly string[]): FaultDesk {
  const known = ['*', ...new Set(operations)]
  const schema = FAULT.refine(({ operation }) => known.includes(operation), {
    path: ['operation'],
    error: `there is no such operation; there are ${known.join(', ')}`,
  })
  let standing: Standing[] = []
  let lastId = 0
  return {
    schema,
    add(wanted) {
      const read = schema.safeParse(wanted)
      if (!read.success) throw new Error(`Not a fault: ${z.prettifyError(read.error)}`)
      lastId += 1
      const fault = { ...read.data, id: lastId }
      standing.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY, seen: 0 })
      return fault
    },
    remove(id) {
      const before = standing.length
      standing = standing.filter(({ fault }) => fault.id !== id)
      return standing.length < before
    },
    clear() {
      standing = []
    },
    list: () => standing.map(({ fault }) => fault),
    strike(operation) {
      const matching = standing.filter(
        ({ fault }) => fault.operation === '*' || fault.operation === operation,
      )
      const struck = matching.filter((one) => {
        one.seen += 1
        return one.seen % one.fault.every === 0
      })
      for (const one of struck) one.left -= 1
      standing = standing.filter(({ left }) => left > 0)
      return struck.map(({ fault }) => fault)
    },
  }
}
