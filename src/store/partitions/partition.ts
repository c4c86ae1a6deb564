import type pg from 'pg'
import { isDistributed } from '../db/distribute.ts'
import { idAt } from '../db/id-times.ts'
import { takeTurn, withRetries } from '../db/migrate.ts'
import { connectToMigrate } from '../db/migration-client.ts'
import {
  copySettings,
  createMonths,
  defaultPartition,
  earliestPartition,
  findPartitioned,
  monthsFrom,
  PARTITIONED,
  PARTITIONED_TABLES,
  type PartitionedTable,
} from './monthly-partitions.ts'

export type PartitionOptions = {
  log?: (line: string) => void
  nowMs?: number
}

/** Requests wait for a table while it is switched, so this is short; the switch is tried again. */
const LOCK_TIMEOUT = '500ms'

const DAY_MS = 24 * 3_600_000

/**
 * Partitions by month the tables that have rows for every delivery, and returns the tables that it partitioned. No row
 * moves: a table becomes the first partition, up to the next month. Drover may keep running: the slow steps only read
 * the table and do not block writes, and the switch changes only the catalogue. If it is stopped, the next run resumes.
 * Throws a readable message if the database is distributed by Citus.
 */
export async function partition(url: string, options: PartitionOptions = {}): Promise<PartitionedTable[]> {
  const { log = () => {}, nowMs = Date.now() } = options
  const client = await connectToMigrate(url)
  try {
    await takeTurn(client)
    if (await isDistributed(client))
      throw new Error(
        'Citus distributes these tables by account, so Drover does not also partition them by month. Leave out --partition.',
      )
    const already = await findPartitioned(client)
    const left = PARTITIONED_TABLES.filter((table) => !already.includes(table))
    const bound = chooseBound(nowMs)
    for (const table of left) {
      log(`Checking ${table}.`)
      await prepare(client, table, bound)
      await withRetries(() => switchOver(client, table, { bound, nowMs }))
      log(`Partitioned ${table} by month.`)
    }
    return left
  } finally {
    await client.end()
  }
}

/** The end of the month, or of the next if that is less than a day away: preparing may take an hour. */
function chooseBound(nowMs: number): number {
  return Math.min(
    ...monthsFrom(nowMs, 2)
      .map(({ toMs }) => toMs)
      .filter((toMs) => toMs - nowMs > DAY_MS),
  )
}

const boundCheck = (table: PartitionedTable): string => `${table}_until_first_month`

/**
 * Proves that every row is earlier than the bound, so that the switch need not read the table. Validating allows reads
 * and writes.
 */
async function prepare(client: pg.Client, table: PartitionedTable, boundMs: number): Promise<void> {
  const { key, prefix } = PARTITIONED[table]
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
  const { rows: constraints } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = to_regclass($1) and not convalidated`,
    [table],
  )
  for (const { name } of constraints)
    if (name !== boundCheck(table)) await client.query(`alter table ${table} validate constraint ${name}`)
  await withRetries(async () => {
    await client.query(
      `alter table ${table} drop constraint if exists ${boundCheck(table)},
        add constraint ${boundCheck(table)} check (${key} < '${idAt(prefix, boundMs)}') not valid`,
    )
  })
  await client.query(`alter table ${table} validate constraint ${boundCheck(table)}`)
}

type Switch = { bound: number; nowMs: number }

/** Puts a partitioned table in the place of the table, which becomes its first partition. */
async function switchOver(
  client: pg.Client,
  table: PartitionedTable,
  { bound, nowMs }: Switch,
): Promise<void> {
  const [earliest, spare] = [earliestPartition(table), defaultPartition(table)]
  const { key, prefix } = PARTITIONED[table]
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(`lock table ${table} in access exclusive mode`)
    await ownSequence(client, table)
    const indexes = await listIndexes(client, table)
    const foreignKeys = await listForeignKeys(client, table)
    await client.query(`alter table ${table} rename to ${earliest}`)
    for (const { name } of indexes) await client.query(`alter index ${name} rename to ${name}_earliest`)
    const copied = 'including defaults including constraints including storage including comments'
    await client.query(`create table ${table} (like ${earliest} ${copied}) partition by range (${key})`)
    await client.query(`alter table ${table} drop constraint ${boundCheck(table)}`)
    await client.query(`create table ${spare} (like ${earliest} ${copied} including indexes)`)
    await client.query(`alter table ${spare} drop constraint ${boundCheck(table)}`)
    await copySettings(client, earliest, spare)
    for (const { definition, isUniqueWithinPartition } of indexes)
      if (!isUniqueWithinPartition) await client.query(definition)
    for (const { name, definition } of foreignKeys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    const until = `from (minvalue) to ('${idAt(prefix, bound)}')`
    await client.query(`alter table ${table} attach partition ${earliest} for values ${until}`)
    await client.query(`alter table ${table} attach partition ${spare} default`)
    await createMonths(client, table, nowMs)
    await client.query(`alter table ${earliest} drop constraint ${boundCheck(table)}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`Partitioning ${table} failed: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Before PostgreSQL 17 a partition cannot have an identity column. So the events' positions now come from a sequence of
 * the same name, which continues from the same number.
 */
async function ownSequence(client: pg.Client, table: PartitionedTable): Promise<void> {
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `select attname as column, pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence
     from pg_attribute where attrelid = to_regclass($1) and attidentity <> ''`,
    [table],
  )
  for (const { column, sequence } of rows) {
    const state = await client.query<{ last: string; called: boolean }>(
      `select last_value as last, is_called as called from ${sequence}`,
    )
    const { last, called } = state.rows[0] as { last: string; called: boolean }
    await client.query(`alter table ${table} alter column ${column} drop identity`)
    await client.query(`create sequence ${sequence}`)
    await client.query('select setval($1, $2, $3)', [sequence, last, called])
    await client.query(`alter table ${table} alter column ${column} set default nextval('${sequence}')`)
  }
}

type Index = {
  name: string
  definition: string
  /**
   * A unique index without the partition key: PostgreSQL can enforce it only within each partition. The default
   * partition has the index, and each month copies it.
   */
  isUniqueWithinPartition: boolean
}

async function listIndexes(client: pg.Client, table: PartitionedTable): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `select c.relname as name,
       case when i.indisprimary then format('alter table %I add constraint %I %s', $1::text, c.relname, pg_get_constraintdef(k.oid))
         else pg_get_indexdef(i.indexrelid) end as definition,
       i.indisunique and not exists (
         select from pg_attribute as a where a.attrelid = i.indrelid and a.attname = $2 and a.attnum = any (i.indkey)
       ) as "isUniqueWithinPartition"
     from pg_index as i join pg_class as c on c.oid = i.indexrelid
       left join pg_constraint as k on k.conindid = i.indexrelid and k.contype in ('p', 'u')
     where i.indrelid = to_regclass($1) order by i.indisprimary desc, 1`,
    [table, PARTITIONED[table].key],
  )
  return rows
}

async function listForeignKeys(
  client: pg.Client,
  table: PartitionedTable,
): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = to_regclass($1) and contype = 'f' order by 1`,
    [table],
  )
  return rows
}
