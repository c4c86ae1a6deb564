import type { PoolClient } from 'pg'
import { Refusal } from '../../domain/errors.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { hasProof, insertProof, type Proof } from '../../store/deliveries/delivery-proofs.ts'
import type { Deps } from '../context/deps.ts'
import type { DriverJob } from './driver-jobs.ts'
import type { Driver } from './driver-session.ts'
import type { JobEnd } from './end-job.ts'

/**
 * Keeps what the driver brings from the door, in the transaction of the step that it proves. Throws `job_not_open` for
 * one that has come before, so that of two at once only one is done.
 */
export async function keepProof(
  db: PoolClient,
  driver: Driver,
  { row, entry }: DriverJob,
  proof: Omit<Proof, 'phone' | 'driverName' | 'receivedAtMs'>,
): Promise<void> {
  const kept = await insertProof(
    db,
    { accountId: row.account_id, deliveryId: row.delivery_id },
    {
      ...proof,
      phone: driver.phone,
      driverName: row.content.staffCourier?.driverName ?? '',
      receivedAtMs: entry.nowMs(),
    },
  )
  if (!kept) throw new Refusal('job_not_open', `${proof.proofId} has been told of this delivery already.`)
}

/** The delivery as it stands that this phone's proof has come for; null when it has not. */
export async function provedBy(
  deps: Deps,
  { accountIds, phone }: Driver,
  deliveryId: string,
  proof: Pick<Proof, 'proofId' | 'outcome'>,
): Promise<JobEnd['row'] | null> {
  const accountId = await hasProof(deps.db, accountIds, phone, { deliveryId, ...proof })
  return accountId === null ? null : findDelivery(deps.db, accountId, deliveryId)
}
