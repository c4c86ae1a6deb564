import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, pages } from '../../test/harness/http.ts'

const BOOKED_WITHIN_MS = 60_000
const LOOK_MS = 1_000
const WAITING = ['created', 'requested', 'on_hold']

/** Acknowledged deliveries that are missing under their id, or are not booked in time: one sentence each. */
export async function notBooked(
  demo: Ask,
  acknowledged: readonly { reference: string; id: string }[],
): Promise<string[]> {
  for (const endMs = performance.now() + BOOKED_WITHIN_MS; ; await sleep(LOOK_MS)) {
    const found = await pages<{ id: string; status: string }>(demo, '/deliveries')
    const statusOf = new Map(found.map(({ id, status }) => [id, status]))
    const missing = acknowledged.flatMap(({ reference, id }) => {
      const status = statusOf.get(id) ?? 'missing'
      return [...WAITING, 'missing'].includes(status) ? [`${reference}: ${status}`] : []
    })
    if (missing.length === 0 || performance.now() > endMs) return missing
  }
}
