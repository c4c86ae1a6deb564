import pg from 'pg'

/** The ids and reference of a delivery, as the service returns them. */
export type Original = { deliveryId: string; reference: string; consignmentNumber?: string }

/**
 * The tables with rows of a delivery: the column that identifies it, and the columns that must differ in each copy.
 * Their last ten characters are replaced by the copy's number.
 */
const TABLES: readonly { table: string; by: string; name: keyof Original; numbered: readonly string[] }[] = [
  {
    table: 'deliveries',
    by: 'delivery_id',
    name: 'deliveryId',
    numbered: ['delivery_id', 'reference', 'consignment_number', 'carrier_ref'],
  },
  { table: 'events', by: 'stream', name: 'deliveryId', numbered: ['stream', 'event_id'] },
  { table: 'idempotency_keys', by: 'delivery_id', name: 'deliveryId', numbered: ['delivery_id', 'key'] },
  { table: 'audit_log', by: 'object', name: 'deliveryId', numbered: ['object', 'audit_id'] },
  { table: 'booking_intents', by: 'delivery_id', name: 'deliveryId', numbered: ['delivery_id', 'key'] },
  {
    table: 'sandbox_consignments',
    by: 'consignment_number',
    name: 'consignmentNumber',
    numbered: ['consignment_number', 'reference', 'idempotency_key', 'merchant_reference'],
  },
]

const DIGITS = 10

/** Copied events are published, each with its own position in the account's feed. */
const NEXT_PLACE = `(select last_feed_position from event_sequences where account_id = 'demo') + row_number() over ()`
const LAST_FEED_POSITION = `update event_sequences as s
  set last_feed_position = (select max(feed_position) from events as e where e.account_id = s.account_id) where account_id = 'demo'`

/** An id that ends in a number, as `copyDelivery` makes them for the copies. */
export function numbered(name: string, number: number): string {
  return name.slice(0, -DIGITS) + String(number).padStart(DIGITS, '0')
}

/**
 * Copies a delivery of the demo account with all its rows, in SQL: one copy for each number of `from` to `to`. They
 * are never due, unless `changes` sets it: SQL for columns of the deliveries.
 */
export async function copyDelivery(
  databaseUrl: string,
  original: Original,
  { from, to, changes = {} }: { from: number; to: number; changes?: Readonly<Record<string, string>> },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    // Other publishers of events wait meanwhile, so that no position is used twice.
    await client.query(`select from event_sequences where account_id = 'demo' for update`)
    for (const { table, by, name, numbered } of TABLES) {
      if (original[name] === undefined) continue
      const columns = await columnsOf(client, table)
      const changed = {
        due_at: 'null',
        feed_position: NEXT_PLACE,
        ...(table === 'deliveries' ? changes : {}),
      }
      const value = (column: string): string => {
        if (Object.hasOwn(changed, column)) return changed[column as keyof typeof changed]
        if (!numbered.includes(column)) return column
        return `left(${column}, -${DIGITS}) || lpad(copy::text, ${DIGITS}, '0')`
      }
      await client.query(
        `insert into ${table} (${columns.join(', ')}) select ${columns.map(value).join(', ')}
         from ${table} cross join generate_series($1::int, $2::int) as copy
         where account_id = 'demo' and ${by} = $3`,
        [from, to, original[name]],
      )
    }
    await client.query(LAST_FEED_POSITION)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'
     order by ordinal_position`,
    [table],
  )
  return rows.map(({ column_name }) => column_name)
}
