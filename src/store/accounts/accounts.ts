import type { Pool, PoolClient } from 'pg'

type Db = Pool | PoolClient

/** What running processes know of every account, without its document. */
export type AccountHead = {
  accountId: string
  version: number
  /** Grows with every change: documents, clients, clock, secrets. */
  revision: number
  mode: 'sandbox' | 'live'
  clockOffsetMs: number
}

const HEAD = `account_id as "accountId", version, revision, mode, clock_offset_ms as "clockOffsetMs"`

/** The channel that notifies of changed accounts by their id. */
export const ACCOUNTS_CHANNEL = 'drover_accounts'

/** In the order of their ids. `changedWithinMs`: only those that have changed since, by the database's clock. */
export async function listAccountHeads(db: Db, changedWithinMs?: number): Promise<AccountHead[]> {
  const { rows } = await db.query<AccountHead>({
    name: 'list-account-heads',
    text: `select ${HEAD} from accounts
           where $1::integer is null or updated_at > now() - $1 * interval '1 millisecond'
           order by account_id`,
    values: [changedWithinMs ?? null],
  })
  return rows
}

/** Differs once anything of any account has changed. */
export type AccountsDigest = { accounts: number; revisions: number }

/** A small answer to the question that every process asks each second. */
export async function readAccountsDigest(db: Db): Promise<AccountsDigest> {
  const { rows } = await db.query<AccountsDigest>({
    name: 'read-accounts-digest',
    text: `select count(*) as accounts, coalesce(sum(revision), 0)::bigint as revisions from accounts`,
  })
  return rows[0] ?? { accounts: 0, revisions: 0 }
}

export type ListedAccount = Pick<AccountHead, 'accountId' | 'version' | 'mode'> & {
  name: string
  stores: number
}

/** Every account, for people who see the whole installation. */
export async function listAccountRows(db: Db): Promise<ListedAccount[]> {
  const { rows } = await db.query<ListedAccount>({
    name: 'list-accounts',
    text: `select account_id as "accountId", version, mode, coalesce(name, account_id) as name,
             (select count(*) from stores as s where s.account_id = a.account_id and s.retired_at is null) as stores
           from accounts as a order by account_id`,
  })
  return rows
}

export async function findAccountHead(db: Db, accountId: string): Promise<AccountHead | null> {
  const { rows } = await db.query<AccountHead>(`select ${HEAD} from accounts where account_id = $1`, [
    accountId,
  ])
  return rows[0] ?? null
}

/**
 * The document as it was applied, as JSON text with its members in their order, or null when there is no such version.
 * It is not parsed here: 4 MB at once take up to 20 ms.
 */
export async function findAccountText(db: Db, accountId: string, version: number): Promise<string | null> {
  const { rows } = await db.query<{ document: string }>(
    'select document::text from account_versions where account_id = $1 and version = $2',
    [accountId, version],
  )
  return rows[0]?.document ?? null
}

/** Reference → id of every store and brand that ever was, for old versions name those that have left. */
export async function listAccountIds(
  db: Db,
  accountId: string,
): Promise<{ storeIds: Map<string, string>; brandIds: Map<string, string> }> {
  const stores = await db.query<{ reference: string; id: string }>(
    'select reference, store_id as id from stores where account_id = $1',
    [accountId],
  )
  const brands = await db.query<{ reference: string; id: string }>(
    'select reference, brand_id as id from brands where account_id = $1',
    [accountId],
  )
  return { storeIds: mapOf(stores.rows), brandIds: mapOf(brands.rows) }
}

/** Until the transaction ends nobody else applies a document to this account; deliveries go on. */
export async function lockAccount(db: PoolClient, accountId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('drover account ' || $1, 0))`, [accountId])
}

/** Records a document as the account's newest version, and the version as the one in use. */
export async function insertAccountVersion(
  db: PoolClient,
  change: {
    accountId: string
    version: number
    mode: 'sandbox' | 'live'
    /** JSON. */
    document: string
    appliedBy: string
  },
): Promise<void> {
  await db.query(
    `insert into accounts (account_id, version, mode, name) values ($1, $2, $3, $4::json->>'name')
     on conflict (account_id) do update
     set version = excluded.version, mode = excluded.mode, name = excluded.name,
         -- A live account keeps the wall clock.
         clock_offset_ms = case when excluded.mode = 'live' then 0 else accounts.clock_offset_ms end`,
    [change.accountId, change.version, change.mode, change.document],
  )
  await db.query('insert into event_sequences (account_id) values ($1) on conflict do nothing', [
    change.accountId,
  ])
  await db.query(
    `insert into account_versions (account_id, version, document, carriers, applied_by)
     values ($1, $2, $3::json, $3::json->'carriers', $4)`,
    [change.accountId, change.version, change.document, change.appliedBy],
  )
}

/** Gives ids to brands that have none yet; those that have one keep it. */
export async function insertBrands(
  db: PoolClient,
  accountId: string,
  brands: readonly { id: string; reference: string }[],
): Promise<void> {
  await db.query(
    `insert into brands (account_id, brand_id, reference)
     select $1, id, reference from unnest($2::text[], $3::text[]) as given (id, reference)
     on conflict (account_id, reference) do nothing`,
    [accountId, brands.map(({ id }) => id), brands.map(({ reference }) => reference)],
  )
}

/** Gives ids to stores that have none yet, and retires those that `references` no longer names. */
export async function replaceStores(
  db: PoolClient,
  accountId: string,
  {
    added,
    references,
  }: { added: readonly { id: string; reference: string }[]; references: readonly string[] },
): Promise<void> {
  await db.query(
    `insert into stores (account_id, store_id, reference)
     select $1, id, reference from unnest($2::text[], $3::text[]) as given (id, reference)
     on conflict (account_id, reference) do nothing`,
    [accountId, added.map(({ id }) => id), added.map(({ reference }) => reference)],
  )
  await db.query(
    `with named as (select unnest($2::text[]) as reference)
     update stores set retired_at = now() + case when named.reference is null then interval '0' end
     from stores as store left join named using (reference)
     where stores.account_id = $1 and store.account_id = $1 and store.store_id = stores.store_id
       and (named.reference is null) <> (stores.retired_at is not null)`,
    [accountId, references],
  )
}

/** The references of an account’s stores by id, also of removed ones: their deliveries stay in its figures. */
export async function listStoreReferences(db: Db, accountId: string): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; reference: string }>({
    name: 'list-store-references',
    text: 'select store_id as id, reference from stores where account_id = $1 order by store_id',
    values: [accountId],
  })
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

/**
 * Sets a sandbox account's clock offset (account time minus wall time), and returns the previous one. Null: the account
 * is live, or there is no such account.
 */
export async function updateClockOffset(db: Db, accountId: string, offsetMs: number): Promise<number | null> {
  const { rows } = await db.query<{ beforeMs: number }>(
    `with before as (select clock_offset_ms from accounts where account_id = $1 for no key update)
     update accounts as a set clock_offset_ms = $2 from before
     where a.account_id = $1 and a.mode = 'sandbox'
     returning before.clock_offset_ms as "beforeMs"`,
    [accountId, offsetMs],
  )
  return rows[0]?.beforeMs ?? null
}

/** Makes every process read the account again: at once by the notification, else at its next poll. */
export async function announceAccount(db: PoolClient, accountId: string): Promise<void> {
  await db.query('update accounts set revision = revision + 1, updated_at = now() where account_id = $1', [
    accountId,
  ])
  await db.query('select pg_notify($1, $2)', [ACCOUNTS_CHANNEL, accountId])
}

function mapOf(rows: readonly { reference: string; id: string }[]): Map<string, string> {
  return new Map(rows.map(({ reference, id }) => [reference, id]))
}
