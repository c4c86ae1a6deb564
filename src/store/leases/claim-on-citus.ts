import { type Db, instant } from '../db/db.ts'
import type { ClaimSize, ClaimTable } from './claim-due.ts'
import { type AccountNows, chosenSql, claimableSql, quarantineTier } from './poison-row-quarantine.ts'

/**
 * The claim of `makeClaimer` on Citus. Citus locks rows only if the statement names a single account, so the claim asks
 * the accounts in turn until it has enough rows.
 */
export function claimOnCitus<Row extends object>(
  table: ClaimTable,
  sets: string,
): (db: Db, nows: AccountNows, size: ClaimSize) => Promise<Row[]> {
  const name = `${table.name}-of-account`
  const text = claimOfAccountSql(table, sets)
  return async (db, { accountIds, nowsMs }, { limit, leaseMs, suspects = [], values = [] }) => {
    const claimed: Row[] = []
    const slots = [...suspects]
    for (const [index, accountId] of accountIds.entries()) {
      if (claimed.length >= limit) break
      const { rows } = await db.query<Row & { claims?: number }>({
        name,
        text,
        values: [
          accountId,
          instant(nowsMs[index] as number),
          limit - claimed.length,
          leaseMs,
          ...(table.notQuarantined ? [] : [slots]),
          ...values,
        ],
      })
      for (const { claims = 0 } of table.notQuarantined ? [] : rows) {
        const tier = quarantineTier({ claims })
        if (tier !== null) slots[tier] = (slots[tier] ?? 0) - 1
      }
      claimed.push(...rows)
    }
    return claimed
  }
}

/**
 * `$1` is the account and `$2` its time. A last `select` reads the columns from the changed rows, because Citus refuses
 * `now()` in `returning`.
 */
function claimOfAccountSql(table: ClaimTable, sets: string): string {
  const {
    as,
    columns,
    due,
    join = '',
    order = ['due_at'],
    notQuarantined = false,
  } = { ...table, ...table.onCitus }
  const ofAccount = (sql: string) =>
    sql.replaceAll('a.now', '$2::timestamptz').replaceAll('a.account_id', '$1')
  const conditions = [
    `${as}.account_id = $1`,
    ofAccount(due ?? `${as}.due_at <= a.now`),
    `(${as}.lease_until is null or ${as}.lease_until < now())`,
    ...(notQuarantined ? [] : [claimableSql('$5')]),
    ...(table.where ? [ofAccount(table.where)] : []),
  ]
  // Tables due by wall time don’t use $2, but PostgreSQL must still know its type.
  if (!conditions.some((sql) => sql.includes('$2'))) conditions.push('$2::timestamptz is not null')
  const found = [...table.key, ...(notQuarantined ? [] : ['claims'])]
  const chosen = notQuarantined ? 'chosen as (select * from due)' : chosenSql(table.key.join(', '), '$5')
  return `with due as (
      select ${found.map((column) => `${as}.${column}`).join(', ')} from ${table.table} as ${as} ${ofAccount(join)}
      where ${conditions.join(' and ')}
      order by ${order.map((column) => `${as}.${column}`).join(', ')} limit $3 for update of ${as} skip locked),
    ${chosen},
    claimed as (
      update ${table.table} as ${as} set ${ofAccount(sets)}
      from chosen where ${as}.account_id = $1 and ${table.key.map((column) => `${as}.${column} = chosen.${column}`).join(' and ')}
      returning ${as}.*)
    select ${ofAccount(columns)} from claimed as ${as}`
}
