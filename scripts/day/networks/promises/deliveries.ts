import { deliveryOf } from '../../../../test/harness/ledger.ts'
import type { Finding } from '../../../../test/harness/promises.ts'
import type { Evidence } from '../evidence.ts'
import type { Journey } from '../kinds.ts'

const COMES_BACK: ReadonlySet<Journey> = new Set(['refused', 'coming_back'])
const ENDED = ['delivered', 'returned']

/** On-demand couriers' ledgers say how each trip ended; for the others we know what their simulated staff did. */
export function statusesAgree({ jobs, deliveries, endings, manifests }: Evidence): Finding {
  const endByCourier = new Map<string, string>(endings.map(({ key, status }) => [deliveryOf(key), status]))
  const journeyOf = new Map(jobs.map(({ reference, journey }) => [reference, journey]))
  const handedOver = new Set(
    manifests
      .filter(({ status }) => status === 'submitted')
      .flatMap(({ manifest_deliveries }) => manifest_deliveries.map(({ delivery_id }) => delivery_id)),
  )
  const wrong = deliveries.flatMap(({ id, reference, status }) => {
    const journey = journeyOf.get(reference) ?? 'delivered'
    const endByStaff = COMES_BACK.has(journey) ? 'returned' : 'delivered'
    const expected = endByCourier.get(id) ?? (handedOver.has(id) ? endByStaff : null)
    if (expected === null)
      return ENDED.includes(status) ? [`${reference} is ${status}, although no journey ended that way`] : []
    return status === expected ? [] : [`${reference} is ${status}; its carrier says ${expected}`]
  })
  return { counted: deliveries.filter(({ status }) => ENDED.includes(status)).length, wrong }
}
