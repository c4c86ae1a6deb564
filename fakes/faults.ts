import { z } from 'zod'
import { formatIssues } from '../src/domain/account/validation/shape-mistakes.ts'

const shared = {
  /** The operation's name; `*` is any operation. */
  operation: z.string().min(1).default('*'),
  /** How many times; null: until it is removed. */
  times: z.number().int().min(1).nullable().default(1),
  /** 1 is every matching request, 20 every twentieth. */
  every: z.number().int().min(1).default(1),
}

/**
 * Fault injection: what can go wrong on demand. `status`: rejected with this status, nothing executed.
 * `lost`: executed, then the connection is closed without a response. `cut`: the connection is closed before
 * anything is executed. `slow`: waits, then executes. `slow_answer`: executes, then waits. `garbled`:
 * executed, with half a response that is invalid JSON. `failed_answer`: executed, but the response is the
 * carrier's own message for a time-out or an internal failure, under this status (400 unless given). `empty`:
 * a list responds as if it were empty.
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
type FaultInput = z.infer<typeof FAULT>
export type Fault = FaultInput & { id: number }

export type FaultInjector = {
  /** The schema of this carrier's faults. */
  schema: z.ZodType<FaultInput, NewFault>
  /** Returns the fault with its id. Throws an Error when it is invalid, or its operation does not exist. */
  add(fault: NewFault): Fault
  /** False when no fault has that id (any more). */
  remove(id: number): boolean
  clear(): void
  list(): Fault[]
  /** The faults that apply to this request, in the order in which they were added; each counts as used. */
  strike(operation: string): Fault[]
}

type ActiveFault = { fault: Fault; left: number; seen: number }

/** `operations`: their names; a fault of any other operation would never apply. */
export function faultInjector(operations: readonly string[]): FaultInjector {
  const known = ['*', ...new Set(operations)]
  const schema = FAULT.refine(({ operation }) => known.includes(operation), {
    path: ['operation'],
    error: `there is no such operation; there are ${known.join(', ')}`,
  })
  let active: ActiveFault[] = []
  let lastId = 0
  return {
    schema,
    add(input) {
      const read = schema.safeParse(input)
      if (!read.success) throw new Error(`Not a fault. ${formatIssues(schema, input, read.error.issues)}`)
      lastId += 1
      const fault = { ...read.data, id: lastId }
      active.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY, seen: 0 })
      return fault
    },
    remove(id) {
      const before = active.length
      active = active.filter(({ fault }) => fault.id !== id)
      return active.length < before
    },
    clear() {
      active = []
    },
    list: () => active.map(({ fault }) => fault),
    strike(operation) {
      const matching = active.filter(({ fault }) => fault.operation === '*' || fault.operation === operation)
      const struck = matching.filter((one) => {
        one.seen += 1
        return one.seen % one.fault.every === 0
      })
      for (const one of struck) one.left -= 1
      active = active.filter(({ left }) => left > 0)
      return struck.map(({ fault }) => fault)
    },
  }
}
