import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parquetReadObjects } from 'hyparquet'
import { deliveryBody, testApi } from '../../../../test/api.ts'
import { ON_CITUS } from '../../../../test/database.ts'
import { HUGE_DELIVERY } from '../../../../test/huge-delivery.ts'
import { archiveMonths } from '../../../operations/archive/archive-months.ts'
import { tallyInsightDays } from '../../../operations/insights/tally-insight-days.ts'

const DAY_MS = 86_400_000
const INT4_MAX = 2 ** 31 - 1

test('insights, delivery costs, tallies and the archive accept a price of more than 2^31 cents', async (t) => {
  const api = await testApi(t, { work: false })
  const { deps, demo } = api.fixture
  const { status, text, json } = await api.call('POST /demo/deliveries', {
    body: deliveryBody(HUGE_DELIVERY),
  })
  assert.equal(status, 201, text)
  const excludedCents = 3 * INT4_MAX
  assert.equal(json.data.service_code, 'FREIGHT')
  // Services that a rule excluded: one would have cost more, the other less.
  const excluded = [
    { rule: 'total_weight', provider: 'big_haul', service: 'LARGER', wouldCostCents: excludedCents },
    { rule: 'total_weight', provider: 'big_haul', service: 'CHEAPER', wouldCostCents: 1 },
  ]
  const { rows } = await deps.db.query<{ cents: number }>(
    `update deliveries set status = 'delivered', due_at = null, updated_at = $1, carrier_event_at = $1,
       decision = jsonb_set(decision::jsonb, '{services}', $2::jsonb)::json
     returning (chosen->>'priceCents')::bigint as cents`,
    [new Date(Date.now() - 5 * DAY_MS).toISOString(), JSON.stringify(excluded)],
  )
  const cents = rows[0]?.cents ?? 0
  assert.ok(cents > INT4_MAX, `${cents}`)

  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const period = `from=${day(Date.now() - 10 * DAY_MS)}&to=${day(Date.now())}`
  const readInsights = async () => {
    const reply = await api.call(`GET /demo/insights?${period}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data
  }
  const figures = await readInsights()
  assert.equal(figures.total.cost_cents, cents)
  assert.deepEqual(
    figures.exclusions.map((one: Record<string, unknown>) => [one.service, one.extra_cost_cents]).sort(),
    [
      ['CHEAPER', cents - 1],
      ['LARGER', 0],
    ],
  )
  const costs = await api.call(`GET /demo/insights/deliveries?${period}`)
  assert.equal(costs.status, 200, costs.text)
  const [cost] = costs.json.data
  assert.deepEqual([cost.quoted_cents, cost.charged_cents], [cents, cents])

  if (!ON_CITUS) {
    await deps.db.query(`update insight_progress set look_at = '-infinity'`)
    const accounts = { ...deps.accounts, find: () => ({ ...demo(), nowMs: Date.now }) }
    while ((await tallyInsightDays({ ...deps, accounts })) > 0) {}
    const { rows: tallied } = await deps.db.query('select from insight_days')
    assert.equal(tallied.length, 1)
    assert.deepEqual(await readInsights(), figures)
  }

  const files = new Map<string, Buffer>()
  const storage = {
    has: async (name: string) => files.has(name),
    put: async (name: string, content: Buffer) => void files.set(name, content),
  }
  await archiveMonths({ db: deps.db, storage, accountId: 'demo', nowMs: Date.now() + 100 * DAY_MS })
  const [, file] = [...files].find(([name]) => name.startsWith('deliveries/')) ?? []
  assert.ok(file)
  const [row] = await parquetReadObjects({ file: new Uint8Array(file).buffer as ArrayBuffer })
  assert.equal(row?.quoted_cents, BigInt(cents))
})
