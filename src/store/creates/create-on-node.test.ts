import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { deliveryBody, testApi } from '../../../test/api.ts'
import { ON_CITUS, testDatabase } from '../../../test/database.ts'
import { distribute } from '../db/distribute.ts'
import { engineOf, setEngine } from '../db/engine.ts'
import { nodeFinder } from './nodes-of-accounts.ts'

const TABLES = {
  deliveries: 'delivery_id',
  events: 'stream',
  idempotency_keys: 'delivery_id',
  audit_log: 'object',
}

test('a create by the function for Citus writes the rows that the statement for PostgreSQL writes', async (t) => {
  const api = await testApi(t, { work: false })
  const { db } = api.fixture.deps
  const own = engineOf(db)
  t.after(() => setEngine(db, own))
  const rowsOf = async (engine: typeof own) => {
    setEngine(db, engine)
    const reference = `${engine}-1`
    const headers = { 'idempotency-key': `key-of-${reference}` }
    const made = await api.call('POST /demo/deliveries', { body: deliveryBody({ reference }), headers })
    assert.equal(made.status, 201, made.text)
    const found: Record<string, unknown[]> = {}
    for (const [table, column] of Object.entries(TABLES)) {
      const { rows } = await db.query(
        `select to_jsonb(r) as row from ${table} as r where account_id = 'demo' and ${column} = $1
         order by ${table === 'events' ? 'position' : '1'}`,
        [made.json.data.id],
      )
      found[table] = rows.map(({ row }) => normalised(row, reference))
    }
    return found
  }
  const expected = await rowsOf('postgresql')
  assert.deepEqual(
    Object.values(expected).map((rows) => rows.length),
    [1, 2, 1, 1],
  )
  assert.deepEqual(await rowsOf('citus'), expected)
})

/** Without what differs between two deliveries: ids, times, the reference and numbers that count up. */
function normalised(row: Record<string, unknown>, reference: string): unknown {
  const { tx, position, fingerprint, articles, ...rest } = row
  const text = JSON.stringify(rest)
    .replaceAll(reference, 'REFERENCE')
    .replaceAll(reference.replaceAll('-', ''), 'REFERENCE')
    .replaceAll(/[a-z]{2,4}_[0-9A-Za-z]{20,}/g, 'ID')
    .replaceAll(/req_[\w-]+\.\w+|(?<=track\/)[\w-]+/g, 'ID')
    .replaceAll(/\b\d{13}\b/g, '0')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, 'TIME')
  return JSON.parse(text)
}

test('taken references and keys are answered as with the other form', async (t) => {
  const api = await testApi(t, { work: false })
  const { db } = api.fixture.deps
  setEngine(db, 'citus')
  const create = (reference: string, key: string) =>
    api.call('POST /demo/deliveries', {
      body: deliveryBody({ reference }),
      headers: { 'idempotency-key': key },
    })
  assert.equal((await create('ONE', 'first')).status, 201)
  // Together, so that they share a call.
  const all = await Promise.all([
    create('ONE', 'second'),
    create('ONE', 'first'),
    create('TWO', 'first'),
    create('TWO', 'third'),
    create('THREE', 'fourth'),
  ])
  assert.deepEqual(
    all.map(({ status, json }) => json.code ?? status),
    ['duplicate_reference', 201, 'idempotency_key_reused', 201, 201],
  )
  const { rows } = await db.query(`select reference from deliveries where account_id = 'demo' order by 1`)
  assert.deepEqual(
    rows.map(({ reference }) => reference),
    ['ONE', 'THREE', 'TWO'],
  )
})

test('Citus sends a prepared call to the node of the account, and an account’s node is looked up once', {
  skip: !ON_CITUS && 'this needs Citus',
}, async (t: TestContext) => {
  const { pool } = await testDatabase(t)
  const client = await pool.connect()
  await client.query('prepare create_them (text, json) as select create_deliveries($1, $2)')
  // From the sixth execution on, PostgreSQL considers a generic plan.
  for (let n = 1; n <= 8; n++) {
    const { rows } = await client.query(`explain execute create_them ('demo', '[]')`)
    assert.match(JSON.stringify(rows), /Citus Adaptive/, String(n))
  }
  client.release()
  const findNode = nodeFinder(pool)
  const accounts = Array.from({ length: 40 }, (_, n) => `shop-${n}`)
  const query = t.mock.method(pool, 'query')
  const nodes = await Promise.all(accounts.map(findNode))
  assert.ok(new Set(nodes).size > 1, 'all are on one node')
  assert.deepEqual(await Promise.all(accounts.map(findNode)), nodes)
  assert.equal(query.mock.callCount(), 1)
})

test('a function that Citus has copied by itself is sent to the node of the account, too', {
  skip: !ON_CITUS && 'this needs Citus',
}, async (t) => {
  const { url, pool } = await testDatabase(t)
  const { rows } = await pool.query<{ text: string }>(
    `select pg_get_functiondef('create_deliveries(text, json)'::regprocedure) as text`,
  )
  await pool.query('drop function create_deliveries(text, json)')
  await pool.query(rows[0]?.text ?? '')
  await distribute(url)
  const found = await pool.query(
    `select distribution_argument_index as at from pg_dist_object
     where classid = 'pg_proc'::regclass and objid = 'create_deliveries(text, json)'::regprocedure`,
  )
  assert.deepEqual(found.rows, [{ at: 0 }])
})

test('the memory of a worker’s connection does not grow with each delivery that it creates', {
  skip: !ON_CITUS && 'this needs Citus',
}, async (t) => {
  const api = await testApi(t, { work: false })
  const { db } = api.fixture.deps
  const url = new URL(api.fixture.databaseUrl)
  const { rows: nodes } = await db.query<{ host: string; port: number }>(
    'select nodename as host, nodeport as port from pg_dist_node where groupid = $1',
    [await nodeFinder(db)('demo')],
  )
  url.hostname = nodes[0]?.host ?? ''
  url.port = String(nodes[0]?.port)
  const { rows } = await db.query(
    `select store_id, brand_id from stores cross join brands where stores.account_id = 'demo'
       and brands.account_id = 'demo' limit 1`,
  )
  const node = new pg.Client({ connectionString: url.href })
  await node.connect()
  t.after(() => node.end())
  let made = 0
  const create = async (count: number) => {
    const given = Array.from({ length: count }, () => toGiven({ ...rows[0], n: ++made }))
    await node.query({
      name: 'create',
      text: 'select create_deliveries($1, $2)',
      values: ['demo', JSON.stringify(given)],
    })
    const memory = await node.query(
      'select sum(total_bytes)::float8 as bytes from pg_backend_memory_contexts',
    )
    return memory.rows[0].bytes as number
  }
  for (let call = 1; call <= 8; call++) await create(5)
  const before = await create(5)
  const after = await create(200)
  assert.ok(after - before < 200 * 5_000, `${(after - before) / 200} bytes for each delivery`)
})

function toGiven({ n, ...places }: { n: number; store_id?: string; brand_id?: string }): object {
  const at = new Date().toISOString()
  return {
    ...places,
    account_id: 'demo',
    delivery_id: `dlv_${n}`,
    reference: `GIVEN-${n}`,
    content: {},
    delivery_type: 'standard',
    delivery_mode: 'delivery',
    manifest_status: 'pending',
    account_version: 1,
    created_at: at,
    ready_for_pickup_at: at,
    lease_ms: 0,
    search_text: '',
    created_event: `evt_c${n}`,
    created_position: 2 * n,
    requested_event: `evt_r${n}`,
    requested_position: 2 * n + 1,
    key: `key-${n}`,
    fingerprint: '00',
    key_status: 201,
    key_headers: {},
    key_body: '{}',
    locked_seconds: 60,
    audit_id: `aud_${n}`,
    actor_kind: 'client',
    actor: 'c',
    action: 'POST',
    request_id: 'r',
  }
}
