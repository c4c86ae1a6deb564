import { type Db, instant } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'
import { claimOnCitus } from './claim-on-citus.ts'
import { type AccountNows, chosenSql, claimableSql, type QuarantineSlots } from './poison-row-quarantine.ts'

/**
 * Competing consumers: a table whose due rows workers claim with `for update skip locked`. Its key starts with
 * `account_id`; it has `lease_until` and `fence` and, unless `claimsNotCounted`, `claims`. SQL of a field names a row of
 * the table by `as`, and its account by `a`, with `a.now` the account's time.
 */
export type ClaimTable = {
  /** Of the prepared statement. */
  name: string
  table: string
  as: string
  /** The key after `account_id`. */
  key: readonly string[]
  /** What a claim returns. */
  columns: string
  /** When a row is due; otherwise, once its `due_at` is over. */
  due?: string
  /** What else a row needs to be claimed. `$6` and later are the claim's `values`. */
  where?: string
  /** What `due` reads beside the row, joined to `a`. */
  join?: string
  /** Citus refuses some subqueries and joins: what to read instead of these. */
  onCitus?: Partial<Pick<ClaimTable, 'columns' | 'due' | 'join' | 'set'>>
  /** Columns by which an account's rows come, such as `claimed_at nulls first`; otherwise `due_at`. */
  order?: readonly string[]
  /** The order holds across accounts; otherwise they take turns as they are named. */
  acrossAccounts?: true
  /** What a claim writes beside the lease. */
  set?: string
  /** Its rows are not quarantined as poison rows. */
  notQuarantined?: true
  claimsNotCounted?: true
}

export type ClaimSize = {
  limit: number
  /** Wall time. */
  leaseMs: number
  /** The free quarantine slots; not for tables whose rows are not quarantined. */
  suspects?: QuarantineSlots
  values?: readonly unknown[]
}

/**
 * Leases with fencing tokens: the one statement by which a worker claims due rows. Rows that another worker claims at
 * the same moment are skipped. A claim is counted before the work, so a row that kills its worker is noticed.
 */
export function makeClaimer<Row extends object>(
  table: ClaimTable,
): (db: Db, nows: AccountNows, size: ClaimSize) => Promise<Row[]> {
  const text = claimSql(table)
  const onCitus = claimOnCitus<Row>(table, setsOf({ ...table, ...table.onCitus }))
  return async (db, nows, size) => {
    const { accountIds, nowsMs } = nows
    const { limit, leaseMs, suspects, values = [] } = size
    if (accountIds.length === 0) return []
    if (engineOf(db) === 'citus') return onCitus(db, nows, size)
    const quarantine = table.notQuarantined ? [] : [suspects]
    const { rows } = await db.query<Row>({
      name: table.name,
      text,
      values: [accountIds, nowsMs.map(instant), limit, leaseMs, ...quarantine, ...values],
    })
    return rows
  }
}

export function claimSql(table: ClaimTable): string {
  const { as, columns, join = '', order = ['due_at'], acrossAccounts = false, notQuarantined = false } = table
  const key = ['account_id', ...table.key]
  const conditions = [
    `${as}.account_id = a.account_id`,
    table.due ?? `${as}.due_at <= a.now`,
    `(${as}.lease_until is null or ${as}.lease_until < now())`,
    ...(notQuarantined ? [] : [claimableSql('$5')]),
    ...(table.where ? [table.where] : []),
  ]
  const found = [...key, ...(notQuarantined ? [] : ['claims'])]
  const orderBy = `order by ${order.map((column) => `${as}.${column}`).join(', ')}`
  const read = new Set([...found, ...order.map((column) => column.split(' ')[0])])
  const chosen = notQuarantined ? 'chosen as (select * from due)' : chosenSql(key.join(', '), '$5')
  return `with due as (
      select ${found.map((column) => `${as}.${column}`).join(', ')}
      from unnest($1::text[], $2::timestamptz[]) as a(account_id, now) ${join}
      cross join lateral (
        select ${[...read].map((column) => `${as}.${column}`).join(', ')} from ${table.table} as ${as}
        where ${conditions.join(' and ')}
        ${orderBy} limit $3 for update skip locked) as ${as}
      ${acrossAccounts ? orderBy : ''} limit $3),
    ${chosen}
    update ${table.table} as ${as} set ${setsOf(table)}
    from chosen where ${key.map((column) => `${as}.${column} = chosen.${column}`).join(' and ')}
    returning ${columns}`
}

function setsOf({ claimsNotCounted, set }: ClaimTable): string {
  return [
    `lease_until = now() + $4 * interval '1 millisecond'`,
    'fence = fence + 1',
    ...(claimsNotCounted ? [] : ['claims = claims + 1']),
    ...(set ? [set] : []),
  ].join(', ')
}
