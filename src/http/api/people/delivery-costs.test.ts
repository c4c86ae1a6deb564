import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, customer, deliveryBody, testApi } from '../../../../test/api.ts'
import { rowsRead } from '../../../../test/count-rows-read.ts'
import { ON_CITUS } from '../../../../test/database.ts'
import { listDeliveryCosts } from '../../../store/insights/delivery-costs.ts'

type Ended = { at: string; status?: string; subStatus?: string; costCents?: number; own?: true }

/** Ends a delivery directly, as its carrier would: the test is about the money. */
async function end(api: Api, reference: string, { at, status = 'delivered', ...over }: Ended): Promise<void> {
  const { db } = api.fixture.deps
  const { rows } = await db.query(
    `select chosen from deliveries where account_id = 'demo' and reference = $1`,
    [reference],
  )
  const costing = { ...rows[0].chosen, ...(over.costCents !== undefined && { costCents: over.costCents }) }
  const { rowCount } = await db.query(
    `update deliveries set status = $2, sub_status = $3, due_at = null, updated_at = $4, carrier_event_at = $4,
       chosen = $5
     where account_id = 'demo' and reference = $1`,
    [reference, status, over.subStatus ?? null, at, over.own ? null : JSON.stringify(costing)],
  )
  assert.equal(rowCount, 1)
}

const PROMISED = { delivery_type: 'flexible', ready_for_pickup_at: '2026-11-24T10:00:00' }
/** TODAY costs $7.90 and is promised from 2 pm to 8 pm. */
const ENDS: Readonly<Record<string, Ended>> = {
  'as-quoted': { at: '2026-11-02T00:00:00+11:00' },
  dearer: { at: '2026-11-24T15:00:00+11:00', costCents: 1_234 },
  late: { at: '2026-11-24T20:00:01+11:00', costCents: 700 },
  back: { at: '2026-11-24T15:00:00+11:00', status: 'returned' },
  ours: { at: '2026-11-24T15:00:00+11:00', own: true },
  gone: { at: '2026-11-24T15:00:00+11:00', status: 'cancelled' },
  lost: { at: '2026-11-24T15:00:00+11:00', status: 'collected', subStatus: 'lost' },
  'month-before': { at: '2026-10-31T23:59:59+11:00', costCents: 500 },
}
const NOVEMBER = 'from=2026-11-01&to=2026-11-30'

async function endedApi(t: Parameters<typeof testApi>[0]): Promise<Api> {
  const api = await testApi(t, { work: false })
  for (const [reference, ended] of Object.entries(ENDS)) {
    const body = deliveryBody({ reference, ...PROMISED })
    const { status, text } = await api.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
    await end(api, reference, ended)
  }
  const open = await api.call('POST /demo/deliveries', { body: deliveryBody({ reference: 'open' }) })
  assert.equal(open.status, 201, open.text)
  return api
}

type Cost = { reference: string; status: string; charged_cents: number | null; timeliness: string | null }

test('the charges of a month’s deliveries add up to the total of the insights', async (t) => {
  const api = await endedApi(t)
  const { json } = await api.call(`GET /demo/insights/deliveries?${NOVEMBER}`)
  const costs: Cost[] = json.data
  assert.deepEqual(
    costs.map((one) => [one.reference, one.status, one.charged_cents, one.timeliness]),
    [
      ['as-quoted', 'delivered', 790, 'early'],
      ['dearer', 'delivered', 1_234, 'on_time'],
      ['back', 'returned', 790, null],
      ['ours', 'delivered', null, 'on_time'],
      ['gone', 'cancelled', null, null],
      ['lost', 'lost', null, null],
      ['late', 'delivered', 700, 'late'],
    ],
  )
  const { data } = (await api.call(`GET /demo/insights?${NOVEMBER}`)).json
  assert.equal(data.total.deliveries, 5)
  assert.equal(data.total.own_deliveries, 1)
  assert.equal(data.total.cost_cents, 790 + 1_234 + 790 + 700)
  assert.equal(
    costs.reduce((sum, one) => sum + (one.charged_cents ?? 0), 0),
    data.total.cost_cents,
  )
  assert.deepEqual(data.cancelled, { deliveries: 1, quoted_cents: 790 })
  assert.deepEqual(data.lost, { deliveries: 1, quoted_cents: 790 })
  const { id, ...dearer } = json.data[1]
  assert.match(id, /^dlv_/)
  assert.deepEqual(dearer, {
    reference: 'dearer',
    store_reference: 'melbourne-cbd',
    status: 'delivered',
    suburb: address.city,
    provider: 'swiftly',
    carrier: 'Swiftly',
    service: 'TODAY',
    consignment_number: null,
    quoted_cents: 790,
    charged_cents: 1_234,
    booked_at: null,
    delivered_at: '2026-11-24T04:00:00.000Z',
    timeliness: 'on_time',
  })
  const october = await api.call('GET /demo/insights/deliveries?from=2026-10-01&to=2026-10-31')
  assert.deepEqual(
    october.json.data.map((one: Cost) => [one.reference, one.charged_cents]),
    [['month-before', 500]],
  )
})

test('pages of costs continue where the last one ended, also between deliveries that ended at once', async (t) => {
  const api = await endedApi(t)
  const listed = async (query: string) => {
    const found: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { status, json, text } = await api.call(
        `GET /demo/insights/deliveries?${NOVEMBER}&limit=2${query}${after && `&after=${after}`}`,
      )
      assert.equal(status, 200, text)
      assert.equal(json.pagination.has_more, json.pagination.next !== null)
      found.push(...json.data.map(({ reference }: Cost) => reference))
      after = json.pagination.next
    }
    return found
  }
  assert.deepEqual(await listed(''), ['as-quoted', 'dearer', 'back', 'ours', 'gone', 'lost', 'late'])
  assert.deepEqual(await listed('&in_total=true'), ['as-quoted', 'dearer', 'back', 'ours', 'late'])
  assert.deepEqual(await listed('&in_total=false'), ['gone', 'lost'])
  assert.deepEqual(await listed('&store_reference=fitzroy'), [])
})

test('a page of costs does not read the pages before it', {
  skip: ON_CITUS && 'Citus’s workers count the rows that they read',
}, async (t) => {
  const api = await endedApi(t)
  const { db } = api.fixture.deps
  const { account } = api.fixture.demo()
  const period = {
    ...{ fromMs: Date.parse('2026-11-01T00:00:00+11:00'), toMs: Date.parse('2026-12-01T00:00:00+11:00') },
    ...{ storeIds: account.stores.map(({ id }) => id), inTotal: null, after: null, limit: 10 },
  }
  const last = (await listDeliveryCosts(db, 'demo', period)).at(-1)
  assert.ok(last)
  const read = await rowsRead(db, 'deliveries', async (client) => {
    // The plan that a prepared statement has later, for any values.
    await client.query(`set local plan_cache_mode = force_generic_plan`)
    await client.query(`set local enable_seqscan = off`)
    assert.deepEqual(await listDeliveryCosts(client, 'demo', { ...period, after: last }), [])
  })
  // The last one that ended, and the open ones, of which one is lost.
  assert.ok(read <= 3, `it reads ${read} rows`)
})

test('costs of deliveries stay when their customers are erased, without the customers', async (t) => {
  const api = await endedApi(t)
  const { json: found } = await api.call('GET /demo/deliveries/dearer')
  const erased = await api.operator(`DELETE /admin/accounts/demo/deliveries/${found.data.id}`)
  assert.equal(erased.status, 204, erased.text)
  const { json, text } = await api.call(`GET /demo/insights/deliveries?${NOVEMBER}&in_total=true`)
  assert.equal(json.data.length, 5)
  assert.doesNotMatch(text, new RegExp(customer.last_name))
})
