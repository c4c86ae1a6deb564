import type { PoolClient } from 'pg'
import type { ProofPlace } from '../../domain/tracking/tracking.ts'
import { type Db, instant } from '../db/db.ts'

export const PROOF_KINDS = ['photo', 'signature', 'pin'] as const
export type ProofKind = (typeof PROOF_KINDS)[number]

/** Strokes of a drawn signature; each is x, y, x, y … in a box of 1000 by 400. */
export type Strokes = readonly (readonly number[])[]

/**
 * A proof from a driver or from a carrier's courier; `phone` is empty for the latter. `atMs` is when the proven step
 * was done, `receivedAtMs` when we received the proof.
 */
export type Proof = {
  proofId: string
  kind: ProofKind
  outcome: 'delivered' | 'failed'
  phone: string
  driverName: string
  signedBy: string | null
  /** Where it is now; null if the phone sent no location. */
  place: ProofPlace | null
  strokes: Strokes | null
  image: { mediaType: 'image/jpeg' | 'image/png'; bytes: Buffer; sha256: Buffer } | null
  position: { lat: number; lng: number } | null
  atMs: number
  receivedAtMs: number
}

/** False: this proof was received before. */
export async function insertProof(
  db: Db,
  { accountId, deliveryId }: { accountId: string; deliveryId: string },
  proof: Proof,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert-delivery-proof',
    text: `insert into delivery_proofs (account_id, delivery_id, proof_id, kind, outcome, phone, driver_name, signed_by,
        strokes, media_type, bytes, sha256, size, lat, lng, at, received_at, place)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
      on conflict do nothing`,
    values: [
      accountId,
      deliveryId,
      proof.proofId,
      proof.kind,
      proof.outcome,
      proof.phone,
      proof.driverName,
      proof.signedBy,
      proof.strokes && JSON.stringify(proof.strokes),
      proof.image?.mediaType ?? null,
      proof.image?.bytes ?? null,
      proof.image?.sha256 ?? null,
      proof.image?.bytes.length ?? null,
      proof.position?.lat ?? null,
      proof.position?.lng ?? null,
      instant(proof.atMs),
      instant(proof.receivedAtMs),
      proof.place,
    ],
  })
  return rowCount === 1
}

/**
 * Stores a carrier's proofs for a claimed delivery, which is due again at `dueAtMs` (account time; null: never). No
 * write if the claim was lost, for example to an erasure.
 */
export async function storeCarrierProofs(
  db: PoolClient,
  claim: { accountId: string; deliveryId: string; fence: number },
  proofs: readonly Proof[],
  dueAtMs: number | null,
): Promise<void> {
  const { rowCount } = await db.query({
    name: 'note-carrier-proof',
    text: `update deliveries set has_proof = true, lease_until = null, claims = 0, due_at = $4
      where account_id = $1 and delivery_id = $2 and fence = $3`,
    values: [claim.accountId, claim.deliveryId, claim.fence, dueAtMs === null ? null : instant(dueAtMs)],
  })
  if (rowCount !== 1) return
  for (const proof of proofs) await insertProof(db, claim, proof)
}

/** Whether this phone's proof is stored already; its driver may ask although the job has ended. */
export async function hasProof(
  db: Db,
  accountIds: readonly string[],
  phone: string,
  { deliveryId, proofId, outcome }: { deliveryId: string } & Pick<Proof, 'proofId' | 'outcome'>,
): Promise<string | null> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'has-delivery-proof',
    text: `select account_id from delivery_proofs
      where account_id = any($1) and delivery_id = $3 and proof_id = $4 and phone = $2
        and outcome = $5`,
    values: [accountIds, phone, deliveryId, proofId, outcome],
  })
  return rows[0]?.account_id ?? null
}

/**
 * The latest proof of delivery; of proofs received together, a signature before a photo, and a photo before a PIN. Null
 * while there is no proof.
 */
export async function findProof(db: Db, accountId: string, deliveryId: string): Promise<Proof | null> {
  const { rows } = await db.query<ProofRow>({
    name: 'find-delivery-proof',
    text: `select * from delivery_proofs where account_id = $1 and delivery_id = $2 and outcome = 'delivered'
      order by received_at desc, case kind when 'signature' then 0 when 'photo' then 1 else 2 end limit 1`,
    values: [accountId, deliveryId],
  })
  const [row] = rows
  if (!row) return null
  const { media_type: mediaType, bytes, sha256 } = row
  return {
    proofId: row.proof_id,
    kind: row.kind,
    outcome: row.outcome,
    phone: row.phone,
    driverName: row.driver_name,
    signedBy: row.signed_by,
    place: row.place,
    strokes: row.strokes,
    image: mediaType && bytes && sha256 ? { mediaType, bytes, sha256 } : null,
    position: row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng },
    atMs: row.at,
    receivedAtMs: row.received_at,
  }
}

/** The newest photo by a driver of a failed delivery. */
export async function findFailurePhoto(
  db: Db,
  accountId: string,
  deliveryId: string,
): Promise<Pick<NonNullable<Proof['image']>, 'mediaType' | 'bytes'> | null> {
  const { rows } = await db.query<Pick<NonNullable<Proof['image']>, 'mediaType' | 'bytes'>>({
    name: 'find-failure-photo',
    text: `select media_type as "mediaType", bytes from delivery_proofs
      where account_id = $1 and delivery_id = $2 and outcome = 'failed' and bytes is not null
      order by received_at desc limit 1`,
    values: [accountId, deliveryId],
  })
  return rows[0] ?? null
}

/** The details of a proof that a customer may see, without its image. */
export async function findProofFacts(
  db: Db,
  accountId: string,
  deliveryId: string,
): Promise<{ left: ProofPlace | null; photo: boolean; atMs: number } | null> {
  const { rows } = await db.query<{ left: ProofPlace | null; photo: boolean; atMs: number }>({
    name: 'find-proof-facts',
    text: `select place as "left", kind = 'photo' and size is not null as photo, at as "atMs" from delivery_proofs
      where account_id = $1 and delivery_id = $2 and outcome = 'delivered'
      order by received_at desc, case kind when 'signature' then 0 when 'photo' then 1 else 2 end limit 1`,
    values: [accountId, deliveryId],
  })
  return rows[0] ?? null
}

type ProofRow = {
  proof_id: string
  kind: ProofKind
  outcome: Proof['outcome']
  phone: string
  driver_name: string
  signed_by: string | null
  place: ProofPlace | null
  strokes: Strokes | null
  media_type: 'image/jpeg' | 'image/png' | null
  bytes: Buffer | null
  sha256: Buffer | null
  lat: number | null
  lng: number | null
  at: number
  received_at: number
}
