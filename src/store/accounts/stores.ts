import type { Pool } from 'pg'

/** A store that is or was an account's, by its id or else its reference; `accountVersion` is its newest delivery's. */
export async function findStoreEver(
  db: Pool,
  accountId: string,
  { storeId, storeReference }: { storeId: string | null; storeReference: string | null },
): Promise<{ storeId: string; accountVersion: number | null } | null> {
  const { rows } = await db.query<{ storeId: string; accountVersion: number | null }>({
    name: 'find-store-ever',
    text: `select s.store_id as "storeId", newest.account_version as "accountVersion"
      from stores as s
      left join lateral (
        select account_version from deliveries as d
        where d.account_id = s.account_id and d.store_id = s.store_id order by d.delivery_id desc limit 1
      ) as newest on true
      where s.account_id = $1 and s.store_id = coalesce($2,
        (select store_id from stores where account_id = $1 and reference = $3))`,
    values: [accountId, storeId, storeReference],
  })
  return rows[0] ?? null
}
