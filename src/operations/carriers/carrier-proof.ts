import { mayBeLeft } from '../../carriers/kit/delivery-instructions.ts'
import type { CourierProof, CourierProofs, Outcome } from '../../carriers/port/carrier.ts'
import { handoverTerms } from '../../domain/delivery/terms.ts'
import { findCourierPosition } from '../../store/carriers/courier-positions.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { type Proof, storeCarrierProofs } from '../../store/deliveries/delivery-proofs.ts'
import { type DeliveryRow, getCarrierRef } from '../../store/deliveries/delivery-rows.ts'
import { releaseDelivery } from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { imageIn } from '../own-couriers/proof-image.ts'

/** Pictures arrive minutes after the delivery, seldom hours. After this we stop polling for them. */
const MAX_WAIT_MS = 48 * 3_600_000
const FIRST_PAUSE_MS = 60_000

/** Whether the delivery's carrier provides proofs of delivery. */
export function hasProofApi(
  { carrierOf }: Pick<Deps, 'carrierOf'>,
  entry: AccountEntry,
  row: DeliveryRow,
): boolean {
  const carrier = carrierOf(entry, row.carrier_provider ?? '')
  return carrier?.proofs !== undefined && getCarrierRef(row) !== null
}

/**
 * Fetches the carrier's proofs of a delivered row under a lease, and stores them with the proofs of staff
 * couriers. If proofs are missing, the row is due again, each time after as long as it has waited so far.
 */
export async function storeCarrierProof(deps: Deps, entry: AccountEntry, row: DeliveryRow): Promise<void> {
  const carrier = deps.carrierOf(entry, row.carrier_provider ?? '')
  const outcome = await carrier?.proofs?.(getCarrierRef(row) ?? '')
  const fetched = outcome?.kind === 'yes' ? outcome.value : NOTHING
  const proofs: Kept[] = []
  for (const proof of fetched.proofs) {
    const image = await kept(row, proof)
    if (image) proofs.push(image)
  }
  const isWhole = proofs.length > 0 && proofs.length === fetched.proofs.length && !fetched.missing

  const nowMs = entry.nowMs()
  const waitedMs = nowMs - row.updated_at
  const goesOn = !isWhole && mayComeLater(outcome) && waitedMs < MAX_WAIT_MS
  const dueAtMs = goesOn ? nowMs + Math.max(FIRST_PAUSE_MS, waitedMs) : null
  const claim = { accountId: row.account_id, deliveryId: row.delivery_id, fence: row.fence }
  if (proofs.length === 0) return releaseDelivery(deps.db, claim, dueAtMs)

  const position = await findCourierPosition(deps.db, row.account_id, row.delivery_id)
  const carrierName = row.chosen?.carrierName ?? ''
  const driverName = position?.courierName ? `${position.courierName} (${carrierName})` : carrierName
  const named = proofs.map((proof) => ({ ...proof, driverName, receivedAtMs: nowMs }))
  await withTransaction(deps.db, (db) => storeCarrierProofs(db, claim, named, dueAtMs))
}

const NOTHING: CourierProofs = { proofs: [], missing: false }

function mayComeLater(outcome: Outcome<unknown> | undefined): boolean {
  return outcome !== undefined && !(outcome.kind === 'no' && outcome.retry !== 'later')
}

type Kept = Omit<Proof, 'driverName' | 'receivedAtMs'>

/**
 * Null: the image's bytes aren't an image. One proof of each kind is stored, however often it is reported.
 */
async function kept(row: DeliveryRow, { kind, signedBy, image: bytes }: CourierProof): Promise<Kept | null> {
  const image = bytes && (await imageIn(bytes))
  if (bytes && !image) return null
  return {
    ...{ proofId: `carrier-${kind}`, kind, outcome: 'delivered', phone: '', signedBy, strokes: null, image },
    place: mayBeLeft(handoverTerms(row.content)) ? 'at_door' : 'with_person',
    position: null,
    atMs: row.carrier_event_at ?? row.updated_at,
  }
}
