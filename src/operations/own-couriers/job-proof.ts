import type { PoolClient } from 'pg'
import { Refusal } from '../../domain/errors.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { hasProof, insertProof, type Proof } from '../../store/deliveries/delivery-proofs.ts'
import type { Deps } from '../deps.ts'
import type { DriverJob } from './driver-jobs.ts'
import type { Driver } from './driver-session.ts'
import type { JobEnd } from './end-job.ts'

/**
 * Stores the driver's proof in the transaction of the step that it proves. Throws `job_not_open` for a proof that is
 * already stored, so that of two concurrent requests only one succeeds.
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
  if (!kept)
    throw new Refusal('job_not_open', `${proof.proofId} has already been received for this delivery.`)
}

/** The current delivery, if this phone's proof is already stored; otherwise null. */
export async function provedBy(
  deps: Deps,
  { accountIds, phone }: Driver,
  deliveryId: string,
  proof: Pick<Proof, 'proofId' | 'outcome'>,
): Promise<JobEnd['row'] | null> {
  const accountId = await hasProof(deps.db, accountIds, phone, { deliveryId, ...proof })
  return accountId === null ? null : findDelivery(deps.db, accountId, deliveryId)
}
