import type { RecordedRequest } from './client.ts'

/** References are unique within an account. */
export function nameOf({ account, reference }: { account: string; reference: string }): string {
  return `${account}/${reference}`
}

type Acknowledged = {
  history: readonly RecordedRequest[]
  deliveries: readonly { id: string; status: string; special_instructions?: string }[]
}

/**
 * Every create that returned 201 exists under its id, with the instructions that were last acknowledged; a cancellation
 * that returned 200 stays cancelled. `instructionsOf`: of a delivery by its name, before and after its amendment.
 */
export function acknowledgedAndKept(
  { history, deliveries }: Acknowledged,
  instructionsOf: (name: string, isAmended: boolean) => unknown,
): string[] {
  const found = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const kept = history.filter(({ outcome }) => outcome === 'ok')
  const amended = new Set(kept.filter(({ operation }) => operation === 'amend').map(nameOf))
  return kept.flatMap((request) => {
    const { operation, reference, id } = request
    const delivery = found.get(id)
    if (operation === 'cancel' && delivery?.status !== 'cancelled')
      return [`the cancel of ${reference} was answered 200, and it is ${delivery?.status}`]
    if (operation !== 'create') return []
    if (!delivery) return [`${reference} was acknowledged as ${id} and is lost`]
    const message = instructionsOf(nameOf(request), amended.has(nameOf(request)))
    const { special_instructions: actual } = delivery
    return actual === message
      ? []
      : [`${reference} says "${actual}", and was last acknowledged as "${message}"`]
  })
}
