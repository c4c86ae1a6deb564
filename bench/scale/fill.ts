import pg from 'pg'
import { copyDemoRows } from '../environment/accounts.ts'
import { lifeBody, runDeliveries } from '../environment/lives.ts'
import type { Service } from '../environment/service.ts'
import {
  BIG_ACCOUNT,
  copiedIdSql,
  copyAt,
  DAY_MS,
  idTimeBefore,
  lastAccountNumber,
  paddedNumber,
  type Size,
  STEP_MS,
  weekdayMorningBefore,
} from './spread.ts'

const ORIGINALS = 20
/** Nineteen are delivered, one comes back. */
const RETURNED = 7
const FIRST_NAMES = ['Ada', 'Ben', 'Chloe', 'Dinh', 'Elif', 'Finn', 'Grace', 'Hamid', 'Isla', 'Jack']
const LAST_NAMES = ['Nguyen', 'Smith', 'Singh', 'Papadopoulos', 'Wilson', 'Chen', 'O’Brien']
/** Before today by more days than a life takes, so that the account's clock never passes the wall clock. */
const ORIGINALS_DAYS_AGO = 8
/** Copies of one transaction: after a stop the fill goes on with the first missing batch. */
const BATCH = 1_000

/** What an account consists of, in the order of the foreign keys. */
const ACCOUNT_TABLES = ['accounts', 'account_versions', 'event_sequences', 'brands', 'stores']

/**
 * A table with rows of a delivery, the columns of its copies that differ, and the order of the copies. Every other time
 * is earlier by the copy's days.
 */
type Table = { name: string; by: string; changed: Readonly<Record<string, string>>; order: string }

const copiedNumberSql = (column: string) => `left(t.${column}, 4) || c.digits`
const TABLES: readonly Table[] = [
  {
    name: 'deliveries',
    by: 'delivery_id',
    changed: {
      delivery_id: copiedIdSql('t.delivery_id'),
      reference: 'c.reference',
      consignment_number: copiedNumberSql('consignment_number'),
      carrier_ref: copiedNumberSql('carrier_ref'),
      search_key: `replace(replace(t.search_key, search_key(t.reference), search_key(c.reference)),
        search_key(t.consignment_number), search_key(${copiedNumberSql('consignment_number')}))`,
    },
    order: 'c.number',
  },
  {
    name: 'events',
    by: 'stream',
    changed: {
      stream: copiedIdSql('t.stream'),
      event_id: copiedIdSql('t.event_id'),
      reference: 'c.reference',
      consignment_number: copiedNumberSql('consignment_number'),
      // Published: each has its own position in its account's feed.
      feed_position: `(select last_feed_position from event_sequences as s where s.account_id = c.account_id)
        + row_number() over (partition by c.account_id order by c.number, t.position)`,
    },
    order: 'c.number, t.position',
  },
  {
    name: 'messages',
    by: 'delivery_id',
    changed: {
      delivery_id: copiedIdSql('t.delivery_id'),
      message_id: copiedIdSql('t.message_id'),
    },
    order: 'c.number',
  },
  {
    name: 'booking_intents',
    by: 'delivery_id',
    changed: { delivery_id: copiedIdSql('t.delivery_id'), key: copiedIdSql('t.key') },
    order: 'c.number',
  },
  {
    name: 'carrier_events',
    by: 'delivery_id',
    changed: { delivery_id: copiedIdSql('t.delivery_id') },
    order: 'c.number',
  },
  {
    name: 'audit_log',
    by: 'object',
    changed: { object: copiedIdSql('t.object'), audit_id: copiedIdSql('t.audit_id') },
    order: 'c.number',
  },
]

/** Our own `position` and `tx` come from their defaults, in the order of the copies. */
const BY_DEFAULT: ReadonlySet<string> = new Set(['position', 'tx'])

const LAST_FEED_POSITION = `update event_sequences as s
  set last_feed_position = (select max(feed_position) from events as e where e.account_id = s.account_id)
  where account_id = any($1)`

/**
 * A small store has a delivery on most days, and a day is a transaction: the past days of 10,000 accounts would keep the
 * worker busy for hours. Insights are measured on the big account.
 */
const TALLY_BIG_ACCOUNT_ONLY = `insert into insight_progress (account_id, store_id, look_at)
  select account_id, store_id, now() + interval '7 days' from stores where account_id <> $1
  on conflict (account_id, store_id) do update set look_at = excluded.look_at`

/** Creates the originals through the API, those that are missing, and follows them to the door. */
export async function makeOriginals(service: Service, db: pg.Client): Promise<void> {
  const startMs = weekdayMorningBefore(Date.now() - ORIGINALS_DAYS_AGO * DAY_MS)
  const made = new Set((await listOriginals(db)).map(({ reference }) => reference))
  const bodies = Array.from({ length: ORIGINALS }, (_, n) => originalBody(n, startMs))
  const missing = bodies.filter(({ reference }) => !made.has(String(reference)))
  if (missing.length > 0) await runDeliveries(service, db, { bodies: missing, startMs, stepMs: STEP_MS })
}

function originalBody(n: number, readyMs: number): Record<string, unknown> {
  const body = lifeBody(`ORIGINAL-${n}${n === RETURNED ? '-returned' : ''}`, readyMs)
  const customer = {
    ...(body.customer as object),
    first_name: FIRST_NAMES[n % FIRST_NAMES.length],
    last_name: LAST_NAMES[n % LAST_NAMES.length],
  }
  return { ...body, customer }
}

async function listOriginals(db: pg.Client): Promise<{ id: string; reference: string }[]> {
  const { rows } = await db.query(
    `select delivery_id as id, reference from deliveries
     where account_id = $1 and reference like 'ORIGINAL-%' order by delivery_id`,
    [BIG_ACCOUNT],
  )
  return rows
}

/** Copies the originals, with all their rows, until there are as many deliveries as the size says. No service may run. */
export async function fill(databaseUrl: string, size: Size, report: (copies: number) => void): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  try {
    // If PostgreSQL crashes, it may lose the last batches; the next run starts again from the first missing one.
    await db.query('set synchronous_commit = off')
    await copyDemoRows(db, ACCOUNT_TABLES, lastAccountNumber(size))
    await db.query(`update event_sequences set last_feed_position = 0 where account_id like 'shop-%'
      and not exists (select from deliveries as d where d.account_id = event_sequences.account_id)`)
    await db.query(TALLY_BIG_ACCOUNT_ONLY, [BIG_ACCOUNT])
    const originals = await listOriginals(db)
    const columns = new Map<string, Column[]>()
    for (const { name } of TABLES) columns.set(name, await columnsOf(db, name))
    for (let from = await countCopies(db); from < size.deliveries; from += BATCH) {
      const to = Math.min(from + BATCH, size.deliveries)
      await copyBatch(db, { from, to, size, originals, columns })
      report(to)
    }
    await db.query('vacuum analyze')
  } finally {
    await db.end()
  }
}

export async function countCopies(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from deliveries where reference like 'SCALE-%'`,
  )
  return rows[0]?.count ?? 0
}

type Batch = {
  from: number
  to: number
  size: Size
  originals: readonly { id: string }[]
  columns: ReadonlyMap<string, Column[]>
}

async function copyBatch(db: pg.Client, { from, to, size, originals, columns }: Batch): Promise<void> {
  const copies = Array.from({ length: to - from }, (_, n) => {
    const copy = copyAt(from + n, size, originals.length)
    const { id } = originals[copy.original] as { id: string }
    return { ...copy, number: from + n, id, time: idTimeBefore(id, copy.daysAgo) }
  })
  const values = [
    copies.map(({ number }) => number),
    copies.map(({ account }) => account),
    copies.map(({ id }) => id),
    copies.map(({ daysAgo }) => daysAgo),
    copies.map(({ time }) => time),
    copies.map(({ number }) => paddedNumber(number)),
    copies.map(({ reference }) => reference),
  ]
  await db.query('begin')
  try {
    // The days are tallied from the deliveries anyway: a record of change for each would be deleted again.
    await db.query('alter table deliveries disable trigger deliveries_insight_insert')
    for (const table of TABLES) {
      await db.query(copySql(table, columns.get(table.name) as Column[]), values)
    }
    await db.query(LAST_FEED_POSITION, [[...new Set(copies.map(({ account }) => account))]])
    await db.query('alter table deliveries enable trigger deliveries_insight_insert')
    await db.query('commit')
  } catch (error) {
    await db.query('rollback')
    throw error
  }
}

function copySql({ name, by, changed, order }: Table, columns: readonly Column[]): string {
  const copied = columns.filter((column) => !BY_DEFAULT.has(column.name))
  const value = ({ name: column, type }: Column): string => {
    if (column === 'account_id') return 'c.account_id'
    if (Object.hasOwn(changed, column)) return changed[column] as string
    return type === 'timestamptz' ? `t.${column} - c.days_ago * interval '1 day'` : `t.${column}`
  }
  return `insert into ${name} (${copied.map((column) => column.name).join(', ')})
    select ${copied.map(value).join(', ')}
    from unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[])
      as c(number, account_id, original, days_ago, id_time, digits, reference)
    join ${name} as t on t.account_id = '${BIG_ACCOUNT}' and t.${by} = c.original
    order by ${order}`
}

type Column = { name: string; type: string }

async function columnsOf(db: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await db.query<Column>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_name = $1 and table_schema = current_schema() order by ordinal_position`,
    [table],
  )
  return rows
}
