import { createHash } from 'node:crypto'
import { handoverTerms } from '../domain/delivery/terms.ts'
import { type Issue, Refusal } from '../domain/errors.ts'
import { BEFORE_COLLECTION } from '../domain/own-network/job.ts'
import { countPinTry } from '../store/courier-offers.ts'
import { findDelivery } from '../store/deliveries.ts'
import { hasProof, insertProof, type Proof, type Strokes } from '../store/delivery-proofs.ts'
import type { Deps } from './deps.ts'
import type { DriverJob } from './driver-jobs.ts'
import type { Driver } from './driver-session.ts'
import { deliveryPin } from './driver-token.ts'
import { moveJob, notNext, wayTo } from './move-job.ts'
import { imageOf } from './proof-image.ts'
import { refuse } from './resolve-delivery.ts'
import { sameText } from './sign.ts'

/** What the driver brings from the door. The phone makes `proofId`, so that a proof sent twice arrives once. */
export type ProofInput = {
  proofId: string
  kind: Proof['kind']
  /** Base64 of a JPEG or PNG. */
  image: string | null
  strokes: Strokes | null
  pin: string | null
  signedBy: string | null
  place: Proof['place']
  idChecked: boolean
  position: { lat: number; lng: number } | null
  /** The phone's own time; null: now. */
  atMs: number | null
}

const MOST_PIN_TRIES = 5

/** How a job ended. */
export type Ended = {
  accountId: string
  deliveryId: string
  reference: string
  status: string
  proofId: string
  /** False: the same proof had come before. */
  first: boolean
}

/**
 * Delivers a job with its proof; steps that the phone never told (collected) are walked too. The same proof again
 * answers as the first time and changes nothing. Refuses `invalid_request` for a proof that does not do here
 * (goods that need a signature, or an adult), `job_not_open` and `not_found`.
 */
export async function deliverJob(
  deps: Deps,
  driver: Driver,
  jobId: string,
  input: ProofInput,
): Promise<Ended> {
  const known = await endedWith(deps, driver, jobId, input.proofId)
  if (known) return known
  const image = input.image === null ? null : imageOf(input.image)
  let job: DriverJob
  try {
    job = await moveJob(deps, driver, jobId, async (found) => {
      const { row } = found
      if (row.status !== 'collected' && !BEFORE_COLLECTION.includes(row.status)) throw notNext(row.status)
      refuseWeakProof(found, input)
      if (input.kind === 'pin') await checkPin(deps, found, input.pin ?? '')
      return {
        path: wayTo(found, 'delivered'),
        patch: { status_reason: null },
        detail: WORDS[input.kind],
        atMs: input.atMs,
        offer: { outcome: null, reason: null, live: false },
        also: async (db) => {
          await insertProof(
            db,
            { accountId: row.account_id, deliveryId: row.delivery_id },
            {
              ...proofOf(driver, found, input),
              image: image && { ...image, sha256: createHash('sha256').update(image.bytes).digest() },
            },
          )
        },
      }
    })
  } catch (error) {
    // The phone may have sent it twice at once: then the other one has delivered it meanwhile.
    const meanwhile = error instanceof Refusal && (await endedWith(deps, driver, jobId, input.proofId))
    if (meanwhile) return meanwhile
    throw error
  }
  const { account_id: accountId, delivery_id: deliveryId, reference, status } = job.row
  return { accountId, deliveryId, reference, status, proofId: input.proofId, first: true }
}

const WORDS = {
  photo: 'Proved by a photo.',
  signature: 'Proved by a signature.',
  pin: 'Proved by the PIN.',
} as const satisfies Record<Proof['kind'], string>

async function endedWith(
  deps: Deps,
  { accountIds, phone }: Driver,
  deliveryId: string,
  proofId: string,
): Promise<Ended | null> {
  const accountId = await hasProof(deps.db, accountIds, phone, { deliveryId, proofId })
  const row = accountId && (await findDelivery(deps.db, accountId, deliveryId))
  if (!accountId || !row) return null
  return { accountId, deliveryId, reference: row.reference, status: row.status, proofId, first: false }
}

function refuseWeakProof({ row }: DriverJob, input: ProofInput): void {
  const { kind, idChecked } = input
  const terms = handoverTerms(row.content)
  const issues: Issue[] = []
  if (NEEDS[kind].every((field) => input[field] === null)) {
    const message = `A proof by ${kind} needs ${NEEDS[kind].join(' or ')}.`
    issues.push({ field: `proof.${NEEDS[kind][0]}`, issue: 'required', message })
  }
  if (terms.signatureRequired && kind === 'photo') {
    const message =
      'These goods must be handed to a person: bring a signature or the PIN, a photo does not do.'
    issues.push({ field: 'proof.kind', issue: 'conflict', message })
  }
  if (terms.idCheckRequired && !idChecked) {
    const message = 'These goods may only be handed to an adult: check the ID and say so with id_checked.'
    issues.push({ field: 'proof.id_checked', issue: 'required', message })
  }
  if (issues.length > 0) refuse(issues)
}

const NEEDS = {
  photo: ['image'],
  signature: ['strokes', 'image'],
  pin: ['pin'],
} as const satisfies Record<Proof['kind'], readonly (keyof ProofInput)[]>

/** Each try is counted before it is compared; after five only a photo or a signature does. */
async function checkPin(deps: Deps, { row }: DriverJob, pin: string): Promise<void> {
  const tries = await countPinTry(deps.db, row, MOST_PIN_TRIES)
  if (tries !== null && sameText(deliveryPin(deps.secretKey, row.account_id, row.delivery_id), pin)) return
  const left = tries === null ? 0 : MOST_PIN_TRIES - tries
  const message =
    left === 0
      ? 'The PIN was wrong too often: bring a photo or a signature instead.'
      : `That is not the PIN of this delivery. ${left} ${left === 1 ? 'try' : 'tries'} left.`
  refuse([{ field: 'proof.pin', issue: 'invalid_value', message }])
}

function proofOf(driver: Driver, { row, entry }: DriverJob, input: ProofInput): Proof {
  return {
    proofId: input.proofId,
    kind: input.kind,
    outcome: 'delivered',
    phone: driver.phone,
    driverName: row.content.staffCourier?.driverName ?? '',
    signedBy: input.signedBy,
    place: input.place,
    strokes: input.strokes,
    image: null,
    position: input.position,
    atMs: input.atMs ?? entry.nowMs(),
    receivedAtMs: entry.nowMs(),
  }
}
