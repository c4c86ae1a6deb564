import type { Db } from '../db/db.ts'

/** Remembers that a label was fetched now, if no label was fetched before. */
export async function storeFirstLabel(db: Db, accountId: string): Promise<void> {
  await db.query({
    name: 'store-first-label',
    text: 'update accounts set first_label_at = now() where account_id = $1 and first_label_at is null',
    values: [accountId],
  })
}

/** When the account's first label was fetched; null if none was. */
export async function findFirstLabel(db: Db, accountId: string): Promise<number | null> {
  const { rows } = await db.query<{ first_label_at: number | null }>(
    'select first_label_at from accounts where account_id = $1',
    [accountId],
  )
  return rows[0]?.first_label_at ?? null
}
