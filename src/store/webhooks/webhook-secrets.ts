import type { Db } from '../db/db.ts'
import type { SealedSecret } from './webhook-endpoints.ts'

export type SealedEndpoint = {
  accountId: string
  endpointId: string
  secret: SealedSecret
  /** The previous secret, which also signs for a while. */
  old: SealedSecret | null
}

/** Endpoints with a secret that was encrypted with a key other than this one. */
export async function listEndpointsSealedOtherwise(db: Db, keyId: string): Promise<SealedEndpoint[]> {
  const { rows } = await db.query<{ account_id: string; endpoint_id: string } & Sealing & Old>(
    `select account_id, endpoint_id, key_id, nonce, ciphertext, previous_key_id, previous_nonce, previous_ciphertext
     from webhook_endpoints where key_id <> $1 or previous_key_id <> $1`,
    [keyId],
  )
  return rows.map((row) => ({
    accountId: row.account_id,
    endpointId: row.endpoint_id,
    secret: { keyId: row.key_id, nonce: row.nonce, ciphertext: row.ciphertext },
    old:
      row.previous_key_id === null || row.previous_nonce === null || row.previous_ciphertext === null
        ? null
        : { keyId: row.previous_key_id, nonce: row.previous_nonce, ciphertext: row.previous_ciphertext },
  }))
}

/** Puts other sealings of the same secrets in place, unless they were changed meanwhile. */
export async function replaceEndpointSealing(
  db: Db,
  before: SealedEndpoint,
  { secret, old }: Pick<SealedEndpoint, 'secret' | 'old'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_endpoints
     set key_id = $4, nonce = $5, ciphertext = $6, previous_key_id = $7, previous_nonce = $8, previous_ciphertext = $9
     where account_id = $1 and endpoint_id = $2 and nonce = $3`,
    [
      before.accountId,
      before.endpointId,
      before.secret.nonce,
      secret.keyId,
      secret.nonce,
      secret.ciphertext,
      old?.keyId ?? null,
      old?.nonce ?? null,
      old?.ciphertext ?? null,
    ],
  )
  return rowCount === 1
}

type Sealing = { key_id: string; nonce: Buffer; ciphertext: Buffer }
type Old = {
  previous_key_id: string | null
  previous_nonce: Buffer | null
  previous_ciphertext: Buffer | null
}
