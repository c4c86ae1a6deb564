import type { Db } from '../db/db.ts'

/** A sign-in at a carrier, sealed as it is. */
export type CarrierTokenRow = { keyId: string; nonce: Buffer; ciphertext: Buffer }

export async function findCarrierToken(
  db: Db,
  accountId: string,
  provider: string,
): Promise<CarrierTokenRow | null> {
  const { rows } = await db.query<CarrierTokenRow>({
    name: 'find-carrier-token',
    text: `select key_id as "keyId", nonce, ciphertext from carrier_tokens where account_id = $1 and provider = $2`,
    values: [accountId, provider],
  })
  return rows[0] ?? null
}

/** In place of the one before. */
export async function storeCarrierToken(
  db: Db,
  accountId: string,
  provider: string,
  { keyId, nonce, ciphertext }: CarrierTokenRow,
): Promise<void> {
  await db.query({
    name: 'keep-carrier-token',
    text: `insert into carrier_tokens (account_id, provider, key_id, nonce, ciphertext, updated_at)
      values ($1, $2, $3, $4, $5, now())
      on conflict (account_id, provider) do update
      set key_id = excluded.key_id, nonce = excluded.nonce, ciphertext = excluded.ciphertext, updated_at = excluded.updated_at`,
    values: [accountId, provider, keyId, nonce, ciphertext],
  })
}
