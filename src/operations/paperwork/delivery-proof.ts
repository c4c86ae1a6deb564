import { proofPdf } from '../../documents/proof-of-delivery.ts'
import { windowZoneOfDelivery } from '../../domain/calendar/window-zone.ts'
import { formatLocal, zone } from '../../domain/calendar/zone.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { hasProof } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import { findFailurePhoto, findProof, type Proof } from '../../store/deliveries/delivery-proofs.ts'
import { type DeliveryName, getDelivery } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'

export type ProofFile = { bytes: Buffer; mediaType: string; name: string }

/**
 * The proof of delivery as a document, its original photo or signature (`image`), or the photo of a failed attempt
 * (`failed`). Refuses `not_found` and `proof_not_available`: no proof has been received (yet), or there is no such
 * image.
 */
export async function deliveryProof(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  format: 'pdf' | 'image' | 'failed',
): Promise<ProofFile> {
  const delivery = await getDelivery(deps, entry, caller, name)
  if (format === 'failed') return failurePhoto(deps, delivery)
  const proof = hasProof(delivery) ? await findProof(deps.db, delivery.accountId, delivery.id) : null
  if (!proof) {
    const { reference, status } = delivery
    throw new Refusal(
      'proof_not_available',
      `Delivery ${reference} is ${status}: there is no proof of delivery yet.`,
    )
  }
  if (format === 'pdf') {
    return { bytes: await paper(deps, delivery, proof), mediaType: 'application/pdf', name: 'proof.pdf' }
  }
  if (!proof.image) {
    throw new Refusal(
      'proof_not_available',
      `The proof is a ${WORDS[proof.kind]} and has no image: ask for the PDF.`,
    )
  }
  return imageFile('proof', proof.image)
}

async function failurePhoto(deps: Deps, { accountId, id, reference }: Delivery): Promise<ProofFile> {
  const photo = await findFailurePhoto(deps.db, accountId, id)
  if (!photo)
    throw new Refusal('proof_not_available', `There is no photo of why ${reference} was not delivered.`)
  return imageFile('failed', photo)
}

function imageFile(name: string, { bytes, mediaType }: { bytes: Buffer; mediaType: string }): ProofFile {
  return { bytes, mediaType, name: `${name}.${mediaType === 'image/png' ? 'png' : 'jpg'}` }
}

const WORDS: Readonly<Record<Proof['kind'], string>> = {
  photo: 'photo',
  signature: 'drawn signature',
  pin: 'PIN of the customer',
}

async function paper(deps: Deps, delivery: Delivery, proof: Proof): Promise<Buffer> {
  const account = await deps.accounts.atVersion(delivery.accountId, delivery.accountVersion)
  const store = account.storeById.get(delivery.storeId)
  if (!store)
    throw new Error(`Version ${account.version} of ${delivery.accountId} lacks store ${delivery.storeId}.`)
  const { address, destination, deliveryMode } = delivery.content
  const place = zone(windowZoneOfDelivery(delivery.content, store))
  const lines = [
    address.address2,
    address.address,
    `${address.city} ${destination.state} ${address.postCode}`,
  ]
  const storeName = `${store.brand.name}, ${store.name}`
  const customer = lines.filter((line) => line !== null).join(', ')
  const [from, to] = deliveryMode === 'customer_pickup' ? [customer, storeName] : [storeName, customer]
  return proofPdf({
    reference: delivery.reference,
    deliveryId: delivery.id,
    consignmentNumber: delivery.consignmentNumber ?? '',
    store: storeName,
    from,
    to,
    driverName: proof.driverName,
    how: WORDS[proof.kind],
    signedBy: proof.signedBy,
    deliveredAt: formatLocal(place, proof.atMs),
    receivedAt: formatLocal(place, proof.receivedAtMs),
    position: proof.position,
    image: proof.image && { ...proof.image, sha256: proof.image.sha256.toString('hex') },
    strokes: proof.strokes,
    sandbox: account.mode === 'sandbox',
  })
}
