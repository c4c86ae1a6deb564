import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Api, deliveryBody, testApi } from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { HUGE_DELIVERY } from '../../../../test/huge-delivery.ts'
import { DELIVERY_TYPES } from '../../../domain/values.ts'
import { applyAccount, exportAccount } from '../../../operations/accounts/apply-account.ts'

const PRICE = 1_000
const HOUR_MS = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: a test reads any answer.
async function tool(api: Api, name: string, args: object, token?: string): Promise<any> {
  const params = { name, arguments: args }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const of = token === undefined ? {} : { token }
  return (await api.call('POST /demo/mcp?tools=write', { body, ...of })).json.result.structuredContent
}

/** Every delivery costs $10. */
async function withLimit(t: TestContext, limitCents: number | null): Promise<Api> {
  const api = await testApi(t, { work: false })
  await setLimit(api, limitCents)
  return api
}

async function setLimit({ fixture: { deps } }: Api, spending_limit_cents_per_day: number | null) {
  const { document } = await exportAccount(deps, 'demo')
  const pricing = { fixed_cents: Object.fromEntries(DELIVERY_TYPES.map((type) => [type, PRICE])) }
  const assistants = { spending_limit_cents_per_day }
  await applyAccount(deps, { ...document, pricing, assistants }, { by: 'test' })
  await deps.accounts.refresh()
}

const BOOK_NOW = { book_delivery_now: true }
const booked = (): object => deliveryBody(BOOK_NOW)

async function planned(api: Api, name = 'delivery', args: object = booked()) {
  const plan = await tool(api, `plan_${name}`, args)
  assert.ok(plan.confirmation, JSON.stringify(plan))
  return plan
}

async function spentBy(api: Api, clientId = 'demo-client'): Promise<number> {
  const { json } = await api.operator('GET /admin/accounts/demo/clients')
  return json.data.find(({ client_id }: { client_id: string }) => client_id === clientId)
    .mcp_spent_today_cents
}

test('a commit of more than 2^31 cents counts in full', async (t) => {
  const api = await testApi(t, { work: false })
  const { data, confirmation } = await planned(
    api,
    'delivery',
    deliveryBody({ ...HUGE_DELIVERY, ...BOOK_NOW }),
  )
  assert.ok(data.price_cents > 2 ** 31, `${data.price_cents}`)
  const made = await tool(api, 'commit_delivery', { confirmation })
  assert.ok(made.data, JSON.stringify(made))
  assert.equal(await spentBy(api), data.price_cents)
})

test('of 20 commits at once, a limit for three lets three through', async (t) => {
  const api = await withLimit(t, 3 * PRICE)
  const plans = await Promise.all(Array.from({ length: 20 }, () => planned(api)))
  for (const { data, spending } of plans) {
    assert.equal(data.price_cents, PRICE)
    assert.deepEqual([spending.limit_cents, spending.spent_cents], [3 * PRICE, 0])
    assert.equal(spending.resets_at, '2026-11-25T00:00:00+11:00')
  }
  const answers = await Promise.all(
    plans.map(({ confirmation }) => tool(api, 'commit_delivery', { confirmation })),
  )
  const made = answers.filter(({ data }) => data)
  assert.equal(made.length, 3)
  for (const { data } of made) assert.equal(data.status, 'booked')
  const refused = answers.flatMap(({ error }) => error ?? [])
  assert.equal(refused.length, 17)
  for (const { code, limit_cents, spent_cents, resets_at, remedy } of refused) {
    assert.deepEqual([code, limit_cents, spent_cents], ['spending_limit_reached', 3 * PRICE, 3 * PRICE])
    assert.equal(resets_at, '2026-11-25T00:00:00+11:00')
    assert.ok(remedy)
  }
  assert.equal((await api.call('GET /demo/deliveries')).json.data.length, 3)
  assert.equal(await spentBy(api), 3 * PRICE)

  const { error } = await tool(api, 'plan_delivery', booked())
  assert.equal(error.code, 'spending_limit_reached', 'the plan refuses, too')
  assert.match(
    error.detail,
    /^This change costs \$10\.00\. The client may spend \$30\.00 a day and has already spent \$30\.00 today\./,
  )
})

test('a confirmation that is repeated counts once', async (t) => {
  const api = await withLimit(t, 2 * PRICE)
  const { confirmation } = await planned(api)
  await Promise.all(Array.from({ length: 10 }, () => tool(api, 'commit_delivery', { confirmation })))
  const { data } = await tool(api, 'commit_delivery', { confirmation })
  assert.equal(data.status, 'booked')
  assert.equal(await spentBy(api), PRICE)
  assert.ok((await tool(api, 'commit_delivery', { confirmation: (await planned(api)).confirmation })).data)
  // The limit is reached, and a repeat is still answered.
  assert.equal((await tool(api, 'commit_delivery', { confirmation })).data.id, data.id)
  assert.equal(await spentBy(api), 2 * PRICE)
})

test('a cancelled delivery, a booking that the carrier refused and a commit that was refused give back their price', async (t) => {
  const api = await withLimit(t, PRICE)
  const { data } = await tool(api, 'commit_delivery', { confirmation: (await planned(api)).confirmation })
  assert.equal(await spentBy(api), PRICE)
  const { confirmation } = await planned(api, 'cancellation', { delivery_id_or_reference: data.id })
  await tool(api, 'commit_cancellation', { confirmation })
  assert.equal((await api.call(`GET /demo/deliveries/${data.id}`)).json.data.status, 'cancelled')
  assert.equal(await spentBy(api), 0)

  const refused = await planned(
    api,
    'delivery',
    deliveryBody({ reference: 'R-rejected', book_delivery_now: true }),
  )
  const { error } = await tool(api, 'commit_delivery', { confirmation: refused.confirmation })
  assert.equal(error.code, 'option_changed')
  assert.equal(await spentBy(api), 0)
})

test('a change of the same delivery counts only for its difference; a cancellation and a read cost nothing', async (t) => {
  const api = await withLimit(t, PRICE)
  const made = await tool(api, 'commit_delivery', {
    confirmation: (await planned(api, 'delivery', deliveryBody())).confirmation,
  })
  assert.equal(made.data.status, 'requested')
  assert.equal(await spentBy(api), PRICE, 'Drover books it when it is due')
  const named = { delivery_id_or_reference: made.data.id }
  const booking = await planned(api, 'booking', named)
  assert.equal(booking.spending.spent_cents, PRICE)
  const { data } = await tool(api, 'commit_booking', { confirmation: booking.confirmation })
  assert.equal(data.status, 'booked')
  assert.equal(await spentBy(api), PRICE)
  assert.ok((await tool(api, 'get_delivery', named)).data)
  assert.ok((await tool(api, 'plan_cancellation', named)).confirmation)
})

test('each client has its own limit, and the account’s next day begins at zero', async (t) => {
  const api = await withLimit(t, PRICE)
  await tool(api, 'commit_delivery', { confirmation: (await planned(api)).confirmation })
  const body = { name: 'Another', scopes: ['deliveries:read', 'deliveries:write', 'quotes'] }
  const other = (await api.operator('POST /admin/accounts/demo/clients', { body })).json.data
  const token = await api.tokenOf(other.client_id, other.client_secret)
  const { confirmation } = await tool(api, 'plan_delivery', booked(), token)
  assert.ok((await tool(api, 'commit_delivery', { confirmation }, token)).data)
  assert.deepEqual([await spentBy(api), await spentBy(api, other.client_id)], [PRICE, PRICE])
  // The clock of the account is what ends its day.
  await api.fixture.setClock(TUESDAY_TEN_MS + 14 * HOUR_MS)
  assert.equal(await spentBy(api), 0)
  const tomorrow = await planned(
    api,
    'delivery',
    deliveryBody({ ready_for_pickup_at: '2026-11-25T14:00:00+11:00' }),
  )
  assert.deepEqual(tomorrow.spending, {
    ...{ limit_cents: PRICE, spent_cents: 0, resets_at: '2026-11-26T00:00:00+11:00' },
  })
})

test('without a limit, what a client commits is counted, and an admin may set a limit', async (t) => {
  const api = await withLimit(t, null)
  const { spending, confirmation } = await planned(api)
  assert.equal(spending.limit_cents, null)
  await tool(api, 'commit_delivery', { confirmation })
  await setLimit(api, PRICE)
  assert.equal((await tool(api, 'plan_delivery', booked())).error.code, 'spending_limit_reached')
})
