import type pg from 'pg'
import { connectToMigrate } from './migration-client.ts'

export type DistributeOptions = { shards?: number | undefined; log?: (line: string) => void }

/**
 * Citus: distributes every table by account and co-locates the tables, so that an account's rows are in one shard and
 * its statements run there. Tables that are already distributed stay as they are. No Drover process may run meanwhile,
 * because Citus moves the rows to the workers. Returns the tables that it distributed. Throws a readable message if the
 * database is not a Citus coordinator with a worker.
 */
export async function distribute(url: string, options: DistributeOptions = {}): Promise<string[]> {
  const client = await connectToMigrate(url)
  try {
    const citus = await findCitus(client)
    if (!citus)
      throw new Error(
        'The database does not have the Citus extension. Run `create extension citus` on every node, and add the workers with `select citus_add_node(…)`.',
      )
    if (citus.workers === 0)
      throw new Error('Citus has no worker yet. Add one with `select citus_add_node(host, port)`.')
    if (await isPartitioned(client))
      throw new Error(
        'The tables are partitioned by month, and Drover has not been tested on Citus with such tables. To use Citus, first go back to tables without partitions: docs/operations/partitions.md.',
      )
    return await distributeTables(client, options)
  } finally {
    await client.end()
  }
}

async function isPartitioned(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_class where oid = to_regclass('events') and relkind = 'p'`,
  )
  return rows.length > 0
}

/** Null on plain PostgreSQL. */
export async function findCitus(
  db: pg.ClientBase | pg.Pool,
): Promise<{ version: string; workers: number } | null> {
  const { rows } = await db.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  const [extension] = rows
  if (!extension) return null
  const nodes = await db.query<{ workers: number }>(
    `select count(*)::int as workers from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards`,
  )
  return { ...extension, workers: nodes.rows[0]?.workers ?? 0 }
}

/** Whether Drover's tables are distributed. */
export async function isDistributed(db: pg.ClientBase | pg.Pool): Promise<boolean> {
  if (!(await findCitus(db))) return false
  const { rows } = await db.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('accounts') and partmethod = 'h'`,
  )
  return rows.length > 0
}

/** Distributes each table before the tables that refer to it, as Citus requires. */
export async function distributeTables(
  client: pg.ClientBase,
  { shards, log = () => {} }: DistributeOptions = {},
): Promise<string[]> {
  // Triggers run on the shards, one row at a time. Those that refuse changes to the audit log work there. Those that
  // record changes for the insight tallies would have to write to another table, so Drover tallies no days on Citus.
  await client.query('set citus.enable_unsafe_triggers = on')
  for (const event of ['update', 'insert', 'delete'])
    await client.query(`drop trigger if exists deliveries_insight_${event} on deliveries`)
  await client.query('set client_min_messages = warning')
  if (shards !== undefined) await client.query(`set citus.shard_count = ${Number(shards)}`)
  const tables = await listUndistributed(client)
  const left = new Map(tables.map(({ name, refersTo }) => [name, refersTo.filter((other) => other !== name)]))
  const done: string[] = []
  const functions = await listUndistributedFunctions(client)
  // Indexes of the tables call functions, so the functions come first.
  for (const { name, runsAtAccount } of functions)
    if (!runsAtAccount) await client.query('select create_distributed_function($1::regprocedure)', [name])
  while (left.size > 0) {
    const next = [...left].find(([, refersTo]) => refersTo.every((other) => !left.has(other)))?.[0]
    if (next === undefined) throw new Error(`Tables refer to each other: ${[...left.keys()].join(', ')}.`)
    left.delete(next)
    const together = next === FIRST ? '' : `, colocate_with => '${FIRST}'`
    await client.query(`select create_distributed_table('${next}', 'account_id'${together})`)
    log(`Distributed ${next}.`)
    done.push(next)
  }
  for (const { name, runsAtAccount } of functions)
    if (runsAtAccount)
      await client.query(
        'select create_distributed_function($1::regprocedure, distribution_arg_name => $2, colocate_with => $3)',
        [name, ACCOUNT_ARGUMENT, FIRST],
      )
  return done
}

/** The tables that `distribute` would distribute now, each with the tables that its foreign keys refer to. */
export async function listUndistributed(
  db: pg.ClientBase | pg.Pool,
): Promise<{ name: string; refersTo: string[] }[]> {
  const { rows } = await db.query<{ name: string; refersTo: string[] }>(TABLES, [ON_COORDINATOR])
  return rows
}

/** The functions that `distribute` would distribute now. `runsAtAccount`: Citus runs each call on the node that has the account in its first argument. */
export async function listUndistributedFunctions(
  db: pg.ClientBase | pg.Pool,
): Promise<{ name: string; runsAtAccount: boolean }[]> {
  const { rows } = await db.query<{ name: string; runsAtAccount: boolean }>(FUNCTIONS)
  return rows
}

/** Every other table is co-located with this one, so it is distributed first. */
const FIRST = 'accounts'

/** Tables of the whole installation. They stay on the coordinator, where plain PostgreSQL runs their statements. */
const ON_COORDINATOR = ['login_attempts', 'state_figures']

/** A function with this first argument runs on the node that has the account. */
const ACCOUNT_ARGUMENT = 'of_account'

/**
 * Functions that statements call. Trigger functions are distributed with their tables. Citus copies a new function to the
 * nodes by itself, but runs its calls on the coordinator until `create_distributed_function` names the account argument.
 */
const FUNCTIONS = `
  select f.oid::regprocedure::text as name, coalesce(f.proargnames[1] = '${ACCOUNT_ARGUMENT}', false) as "runsAtAccount"
  from pg_proc as f
  join pg_class as a on a.oid = to_regclass('${FIRST}') and a.relnamespace = f.pronamespace
  where f.prorettype <> 'trigger'::regtype and f.prokind = 'f'
    and not exists (select from pg_depend as d where d.objid = f.oid and d.deptype = 'e')
    and not exists (
      select from pg_dist_object as o where o.classid = 'pg_proc'::regclass and o.objid = f.oid
        and (o.distribution_argument_index is not null or f.proargnames[1] is distinct from '${ACCOUNT_ARGUMENT}'))`

const TABLES = `
  select c.relname as name, array(
    select f.relname from pg_constraint as k join pg_class as f on f.oid = k.confrelid
    where k.conrelid = c.oid and k.contype = 'f')::text[] as "refersTo"
  from pg_class as c join pg_class as a on a.oid = to_regclass('${FIRST}') and a.relnamespace = c.relnamespace
  join pg_attribute as k on k.attrelid = c.oid and k.attname = 'account_id' and not k.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1) and not exists (select from pg_dist_partition as d where d.logicalrelid = c.oid)
  order by c.relname <> '${FIRST}', c.relname`
