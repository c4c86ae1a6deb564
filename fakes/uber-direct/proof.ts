import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { picture } from '../picture.ts'
import { type Delivery, iso } from './delivery.ts'
import { refuse } from './errors.ts'
import { readRequest } from './read-request.ts'
import { ProofRequest } from './requests.ts'
import type { UberState } from './state.ts'

type End = 'pickup' | 'dropoff' | 'return'

/** The courier's proof from a waypoint: each requirement, fulfilled as the Robo Courier does. */
export function proofOf(delivery: Delivery, end: End, atMs: number): Record<string, unknown> {
  const waypoint = end === 'pickup' ? delivery.pickup : delivery.dropoff
  const { requirements } = waypoint
  const signature = requirements.signature_requirement
  const image = (kind: string) => ({
    image_url: `${delivery.url}/pictures/${delivery.id}-${end}-${kind}.png`,
  })
  return {
    ...(signature?.enabled || requirements.signature
      ? {
          signature: {
            ...image('signature'),
            ...(signature?.collect_signer_name ? { name: waypoint.name } : {}),
            ...(signature?.collect_signer_relationship ? { signer_relationship: 'SELF' } : {}),
          },
        }
      : {}),
    ...(requirements.picture ? { picture: image('picture') } : {}),
    ...(requirements.identification ? { identification: { min_age_verified: true } } : {}),
    ...(requirements.pincode?.enabled ? { pin_code: { entered: requirements.pincode.value } } : {}),
    ...(requirements.barcodes
      ? {
          barcodes: requirements.barcodes.map(({ type, value }) => ({
            type,
            value,
            scan_result: { outcome: 'SUCCESS', timestamp: iso(atMs) },
          })),
        }
      : {}),
    completion_location: waypoint.address.place,
  }
}

const PROOF_OF = { picture: 'picture', signature: 'signature', pincode: 'pin_code' } as const

/** `POST …/deliveries/{id}/proof-of-delivery`. */
export function proofOfDelivery(state: UberState, request: FakeRequest): FakeAnswer {
  const delivery = state.deliveries.get(request.params.deliveryId ?? '')
  if (!delivery) return refuse('delivery_not_found')
  const read = readRequest(request, ProofRequest)
  if (!read.ok) return read.answer
  const { waypoint, type } = read.value
  const back = delivery.id.startsWith('ret_')
  if (waypoint === 'return' && !back) return refuse('delivery_not_found')
  const done = (waypoint === 'pickup' ? delivery.pickup : delivery.dropoff).done
  // The references do not say which error a proof that was never taken gets.
  if (!done?.proof[PROOF_OF[type]]) return refuse('delivery_not_found')
  return { status: 200, body: { document: picture(`${delivery.id}-${waypoint}-${type}`).toString('base64') } }
}

/** `GET /pictures/{name}`: replaces the file host that proofs link to. */
export function pictureFile({ params }: FakeRequest): FakeAnswer {
  const name = (params.name ?? '').replace(/\.png$/, '')
  return { status: 200, headers: { 'content-type': 'image/png' }, body: picture(name) }
}
