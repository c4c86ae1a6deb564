import { handoverTerms } from '../../domain/delivery/terms.ts'
import type { Issue } from '../../domain/errors.ts'
import { BEFORE_COLLECTION, ID_KINDS, ID_NAMES, type IdKind } from '../../domain/own-network/job.ts'
import { refuse } from '../../domain/refuse.ts'
import { record } from '../../domain/untyped-json.ts'
import type { Proof, Strokes } from '../../store/deliveries/delivery-proofs.ts'
import { countPinAttempt } from '../../store/own-couriers/courier-offers.ts'
import type { Deps } from '../deps.ts'
import { sameText } from '../secrets/sign.ts'
import { deliveryPin } from '../tokens/driver-token.ts'
import type { DriverJob } from './driver-jobs.ts'
import type { ActingDriver } from './driver-session.ts'
import { endJob, type JobEnd } from './end-job.ts'
import { keepProof, provedBy } from './job-proof.ts'
import { moveJob, notNext, wayTo } from './move-job.ts'
import { parseImage } from './proof-image.ts'

/** Proof of delivery from the driver. The phone makes `proofId`, so that a proof sent twice is stored once. */
export type ProofInput = {
  proofId: string
  kind: Proof['kind']
  /** Base64 of a JPEG or PNG. */
  image: string | null
  strokes: Strokes | null
  pin: string | null
  signedBy: string | null
  place: Proof['place']
  /** The driver has looked at the date of birth. */
  idChecked: boolean
  idKind: IdKind | null
  position: { lat: number; lng: number } | null
  /** The phone's clock; null: now. */
  atMs: number | null
}

/** PIN at the door: wrong attempts for a delivery, after which only a photo or a signature is accepted. */
const MAX_PIN_ATTEMPTS = 5

/**
 * Delivers a job with its proof; steps that the phone never sent (collected) are added. The same proof again gets the
 * same answer and changes nothing. Refuses `invalid_request` for a proof that is not enough (goods that need a
 * signature, or an adult), `job_not_open` and `not_found`.
 */
export async function deliverJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  input: ProofInput,
): Promise<JobEnd> {
  const image = input.image === null ? null : await parseImage(input.image, 'proof.image')
  const { proofId } = input
  const step = () =>
    moveJob(deps, driver, jobId, async (found) => {
      const { row } = found
      if (row.status !== 'collected' && !BEFORE_COLLECTION.includes(row.status)) throw notNext(row.status)
      refuseWeakProof(found, input)
      if (input.kind === 'pin') await checkPin(deps, found, input.pin ?? '')
      return {
        path: wayTo(found, 'delivered'),
        patch: { status_reason: null },
        detail: [WORDS[input.kind], input.idKind && `${ID_NAMES[input.idKind]} seen, date of birth checked.`]
          .filter(Boolean)
          .join(' '),
        atMs: input.atMs,
        offer: { outcome: null, reason: null, live: false },
        also: (db, atMs) =>
          keepProof(db, driver, found, {
            proofId,
            kind: input.kind,
            outcome: 'delivered',
            signedBy: input.signedBy,
            place: input.place,
            strokes: input.strokes,
            image,
            position: input.position,
            atMs,
          }),
      }
    })
  return endJob(step, () => provedBy(deps, driver, jobId, { proofId, outcome: 'delivered' }))
}

const WORDS = {
  photo: 'Proved by a photo.',
  signature: 'Proved by a signature.',
  pin: 'Proved by the PIN.',
} as const satisfies Record<Proof['kind'], string>

function refuseWeakProof({ row }: DriverJob, input: ProofInput): void {
  const { kind, idChecked } = input
  const terms = handoverTerms(row.content)
  const issues: Issue[] = []
  if (NEEDS[kind].every((field) => input[field] === null)) issues.push(toMissingProofIssue(kind))
  if (terms.signatureRequired && kind === 'photo') {
    const message =
      'These goods must be handed to a person: get a signature or the PIN. A photo is not enough.'
    issues.push({ field: 'proof.kind', issue: 'conflict', message })
  }
  if (terms.idCheckRequired && input.idKind === null) {
    const message = `These goods may only be handed to an adult: say which ID you saw with id_kind (${ID_KINDS.join(', ')}).`
    issues.push({ field: 'proof.id_kind', issue: 'required', message })
  }
  if (terms.idCheckRequired && !idChecked) {
    const message =
      'These goods may only be handed to an adult: check the date of birth and say so with id_checked.'
    issues.push({ field: 'proof.id_checked', issue: 'required', message })
  }
  if (issues.length > 0) refuse(issues)
}

/** The issues of a proof by its kind alone, in a body that its schema has rejected. */
export function rawProofIssues(body: unknown): Issue[] {
  const proof = record(record(body).proof)
  const kind = PROOF_KINDS.find((one) => one === proof.kind)
  return kind && NEEDS[kind].every((field) => proof[field] === undefined) ? [toMissingProofIssue(kind)] : []
}

function toMissingProofIssue(kind: Proof['kind']): Issue {
  const message = `A proof by ${kind} needs ${NEEDS[kind].join(' or ')}.`
  return { field: `proof.${NEEDS[kind][0]}`, issue: 'required', message }
}

const NEEDS = {
  photo: ['image'],
  signature: ['strokes', 'image'],
  pin: ['pin'],
} as const satisfies Record<Proof['kind'], readonly (keyof ProofInput)[]>

const PROOF_KINDS = Object.keys(NEEDS) as Proof['kind'][]

/** Each attempt is counted before the PIN is compared; after five, only a photo or a signature is accepted. */
async function checkPin(deps: Deps, { row }: DriverJob, pin: string): Promise<void> {
  const tries = await countPinAttempt(deps.db, row, MAX_PIN_ATTEMPTS)
  if (tries !== null && sameText(deliveryPin(deps.secretKey, row.account_id, row.delivery_id), pin)) return
  const left = tries === null ? 0 : MAX_PIN_ATTEMPTS - tries
  const message =
    left === 0
      ? 'The PIN was wrong too often. Take a photo or get a signature instead.'
      : `That is not the PIN of this delivery. ${left} ${left === 1 ? 'try' : 'tries'} left.`
  refuse([{ field: 'proof.pin', issue: 'invalid_value', message }])
}
