import { Refusal } from '../../domain/errors.ts'
import { listDeliveriesByReference } from '../../store/deliveries/deliveries.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'

/** References are unique in a store for good: the delivery of a cancelled order keeps its own. */
export async function referenceTaken(
  { db }: Pick<Deps, 'db'>,
  { accountId, storeId, reference }: { accountId: string; storeId: string; reference: string },
  existing: Pick<DeliveryRow, 'delivery_id' | 'status'> | undefined,
): Promise<Refusal> {
  if (existing?.status !== 'cancelled') {
    const message = `This store already has a delivery ${reference}. Read it, or use another reference.`
    return new Refusal('duplicate_reference', message, {
      details: existing ? { delivery_id: existing.delivery_id, delivery_status: existing.status } : {},
    })
  }
  const free = await freeReference(db, { accountId, storeId, reference })
  const message = `This store’s delivery ${reference} is cancelled, and its reference stays taken. To send the order again, use another reference, such as ${free}.`
  return new Refusal('duplicate_reference', message, {
    details: {
      delivery_id: existing.delivery_id,
      delivery_status: existing.status,
      suggested_reference: free,
    },
  })
}

/** The reference with the first number from 2 that no delivery of the store has: `SR-1-2`. */
export async function freeReference(
  db: Deps['db'],
  { accountId, storeId, reference }: { accountId: string; storeId: string; reference: string },
): Promise<string> {
  for (let number = 2; number < MAX_ATTEMPTS; number++) {
    const candidate = withNumber(reference, number)
    const rows = await listDeliveriesByReference(db, accountId, candidate, [storeId])
    if (rows.length === 0) return candidate
  }
  return withNumber(reference, Date.now())
}

const MAX_ATTEMPTS = 12
const MAX_REFERENCE = 100

function withNumber(reference: string, number: number): string {
  return `${reference.slice(0, MAX_REFERENCE - 1 - String(number).length)}-${number}`
}
