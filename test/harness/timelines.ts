import { type Status, transition } from '../../src/domain/delivery/status.ts'

const NOT_AT_CARRIER: readonly string[] = ['created', 'requested', 'on_hold', 'cancelled'] satisfies Status[]

/** Whether a carrier must have a booking of a delivery with this status. */
export function isAtCarrier(status: string): boolean {
  return !NOT_AT_CARRIER.includes(status)
}

/** An event that has a status: `previous` is the one that it names as the status before. */
export type Step = { deliveryId: string; status: Status; previous: Status | null }

/** Every timeline begins with `created` and follows the table of statuses, each step from the end of the last one. */
export function findIllegalSteps(steps: readonly Step[]): string[] {
  const reached = new Map<string, Status>()
  return steps.flatMap(({ deliveryId, status: to, previous }) => {
    const from = reached.get(deliveryId) ?? null
    reached.set(deliveryId, to)
    if (from !== null && to === (previous ?? from)) return [] // An update that changes nothing.
    const isLegal =
      from === null
        ? previous === null && to === 'created'
        : previous === from && transition(from, to) !== null
    return isLegal ? [] : [`${deliveryId} went from ${from} to ${to}, reported as from ${previous}`]
  })
}

/** No delivery waits for ever. One that is left to clerks has a reason. `moving`: statuses that a worker changes. */
export function findUnended(
  deliveries: readonly { reference: string; status: string; status_reason?: string }[],
  moving: readonly string[] = ['created', 'requested'],
): string[] {
  return deliveries.flatMap(({ reference, status, status_reason = '' }) => {
    if (moving.includes(status)) return [`${reference} is still ${status}: ${status_reason}`]
    return status === 'on_hold' && status_reason === '' ? [`${reference} is on hold without a reason`] : []
  })
}

/** Names that occur more than once. */
export function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.has(name) || !seen.add(name))
}
