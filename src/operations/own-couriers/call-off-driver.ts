import type { PoolClient } from 'pg'
import { plain } from '../../domain/messages/plain-text.ts'
import { BEFORE_COLLECTION } from '../../domain/own-network/job.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { queueDriverNote } from '../../store/own-couriers/courier-offers.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { driverMessageId } from '../tokens/driver-token.ts'

/** A driver who has not read the message by then is already at the store. */
const NOTE_LIFE_MS = 2 * 3_600_000

/** Notifies a courier who accepted a job, with its old details, that the job was withdrawn; in the same transaction. */
export async function withdrawJob(
  deps: Deps,
  db: PoolClient,
  { account, nowMs }: AccountEntry,
  row: DeliveryRow,
): Promise<void> {
  if (!row.content.staffCourier || !BEFORE_COLLECTION.includes(row.status)) return
  const store = account.storeById.get(row.store_id)
  const name = store ? `${store.brand.name} ${store.name}` : account.id
  const atMs = nowMs()
  await queueDriverNote(db, row, {
    id: driverMessageId(deps.newId('evt')),
    body: `${plain(name)}: ${plain(row.reference)} to ${plain(row.content.address.city)} has been cancelled. Do not collect it.`,
    atMs,
    notAfterMs: atMs + NOTE_LIFE_MS,
  })
}
