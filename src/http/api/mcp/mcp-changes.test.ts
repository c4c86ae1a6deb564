import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type Api, deliveryBody, lineItem, testApi } from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { applyAccount, exportAccount } from '../../../operations/accounts/apply-account.ts'
import { SCOPES, type Scope } from '../../../operations/directory/caller.ts'

const OF_DELIVERIES = ['delivery', 'booking', 'reassignment', 'amendment', 'cancellation']
const PLANS: Partial<Record<Scope, readonly string[]>> = {
  'deliveries:write': OF_DELIVERIES,
  manifests: ['manifest_submission'],
}
const steps = (names: readonly string[]) => names.flatMap((name) => [`plan_${name}`, `commit_${name}`]).sort()

type Asking = { token?: string; at?: string }

/** One message at the address of an assistant that may change things. */
async function send(api: Api, method: string, params: object, { token, at = '?tools=write' }: Asking = {}) {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const { json, text } = await api.call(`POST /demo/mcp${at}`, { body, ...(token ? { token } : {}) })
  assert.ok(json.result ?? json.error, text)
  return json.result ?? { structuredContent: { error: json.error } }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any answer.
async function tool(api: Api, name: string, args: object, asking?: Asking): Promise<any> {
  return (await send(api, 'tools/call', { name, arguments: args }, asking)).structuredContent
}

// biome-ignore lint/suspicious/noExplicitAny: likewise.
async function plan(api: Api, name: string, args: object): Promise<any> {
  const planned = await tool(api, `plan_${name}`, args)
  assert.ok(planned.confirmation, JSON.stringify(planned))
  assert.equal(planned.next_tool, `commit_${name}`)
  return planned
}

async function create(api: Api, over: object = {}): Promise<{ id: string; reference: string }> {
  const { json, text } = await api.call('POST /demo/deliveries', { body: deliveryBody(over) })
  assert.ok(json.data, text)
  return json.data
}

const writing = (t: TestContext): Promise<Api> => testApi(t, { work: false })

// biome-ignore lint/suspicious/noExplicitAny: likewise.
async function read(api: Api, id: string): Promise<any> {
  return (await api.call(`GET /demo/deliveries/${id}`)).json.data
}

async function raisePrices({ fixture }: Api): Promise<void> {
  const { deps } = fixture
  const { document } = await exportAccount(deps, 'demo')
  await applyAccount(deps, { ...document, pricing: { markup_percent: 50 } }, { by: 'test' })
  await deps.accounts.refresh()
}

test('tools that change something are offered only to a client that opts in, and only with their scope', async (t) => {
  const api = await writing(t)
  for (const scope of SCOPES) {
    const token = await api.tokenOf('demo-client', 'demo-secret', scope)
    const namesAt = async (at: string) => {
      const { tools } = await send(api, 'tools/list', {}, { token, at })
      return tools
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => /^(plan|commit)_/.test(name))
        .sort()
    }
    const allowed = steps(PLANS[scope] ?? [])
    assert.deepEqual(await namesAt(''), [], scope)
    assert.deepEqual(await namesAt('?tools=read'), [], scope)
    assert.deepEqual(await namesAt('?tools=write'), allowed, scope)
    for (const name of steps(Object.values(PLANS).flat())) {
      const { error } = await tool(api, name, {}, { token })
      assert.equal(error.code === 'insufficient_scope', !allowed.includes(name), `${scope}: ${name}`)
      assert.match((await tool(api, name, {}, { token, at: '' })).error.message, /no tool with this name/)
    }
  }
  const { tools } = await send(api, 'tools/list', {})
  type Tool = { name: string; annotations: { readOnlyHint: boolean; destructiveHint: boolean } }
  const whose = (hint: 'readOnlyHint' | 'destructiveHint', is: boolean) =>
    (tools as Tool[])
      .filter(({ annotations }) => annotations[hint] === is)
      .map(({ name }) => name)
      .sort()
  assert.deepEqual(
    whose('readOnlyHint', false),
    [...OF_DELIVERIES, 'manifest_submission'].map((name) => `commit_${name}`).sort(),
  )
  assert.deepEqual(whose('destructiveHint', true), [
    'commit_cancellation',
    'commit_manifest_submission',
    'commit_reassignment',
  ])
})

test('a plan changes nothing; 50 commits at once with its confirmation book once', async (t) => {
  const api = await writing(t)
  const body = deliveryBody({ book_delivery_now: true, line_items: [lineItem] })
  const planned = await plan(api, 'delivery', body)
  assert.match(
    planned.data.effect,
    /^Drover creates the delivery for .+ at \$\d+\.\d\d incl\. GST and books it/,
  )
  assert.match(
    planned.data.price_held_until,
    /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    'our own time is not marked as untrusted',
  )
  assert.equal((await api.call(`GET /demo/deliveries/${body.reference}`)).status, 404)
  const { confirmation } = planned
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => tool(api, 'commit_delivery', { confirmation })),
  )
  const ids = new Set(answers.flatMap(({ data }) => data?.id ?? []))
  assert.equal(ids.size, 1)
  for (const { error } of answers) if (error) assert.equal(error.code, 'idempotency_in_progress')
  const [id] = ids as Set<string>
  const delivery = await read(api, id as string)
  assert.equal(delivery.status, 'booked')
  assert.equal(delivery.service_quote.price_cents, planned.data.price_cents)
  const again = await tool(api, 'commit_delivery', { confirmation })
  assert.equal(again.data.id, id)
  assert.equal((await api.call(`GET /demo/deliveries?reference=${body.reference}`)).json.data.length, 1)
  assert.equal((await api.call(`GET /demo/deliveries/${id}/decision`)).json.data.attempts.length, 1)
})

test('50 commits at once of one booking ask one carrier once', async (t) => {
  const api = await writing(t)
  const { id, reference } = await create(api)
  const planned = await plan(api, 'booking', { delivery_id_or_reference: reference })
  assert.deepEqual([planned.data.id, (await read(api, id)).status], [id, 'requested'])
  const { confirmation } = planned
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => tool(api, 'commit_booking', { confirmation })),
  )
  const booked = answers.filter(({ data }) => data?.status === 'booked')
  assert.ok(booked.length > 0, JSON.stringify(answers[0]))
  for (const { error } of answers) if (error) assert.equal(error.code, 'idempotency_in_progress')
  const { attempts } = (await api.call(`GET /demo/deliveries/${id}/decision`)).json.data
  assert.equal(attempts.length, 1)
  assert.equal((await read(api, id)).service_quote.price_cents, planned.data.price_cents)
})

test('amend, reassign and cancel do what their plans say', async (t) => {
  const api = await writing(t)
  const { id } = await create(api, { special_instructions: 'Ring twice.' })
  const named = { delivery_id_or_reference: id }
  const ready_for_pickup_at = '2026-11-24T15:00:00+11:00'
  const amendment = await plan(api, 'amendment', { ...named, ready_for_pickup_at, special_instructions: '' })
  assert.equal((await read(api, id)).special_instructions, 'Ring twice.')
  const { error } = await tool(api, 'commit_amendment', { confirmation: amendment.confirmation })
  assert.equal(error, undefined)
  assert.ok(!(await read(api, id)).special_instructions)

  const booking = await plan(api, 'booking', named)
  await tool(api, 'commit_booking', { confirmation: booking.confirmation })
  const before = await read(api, id)
  const reassignment = await plan(api, 'reassignment', named)
  assert.notEqual(reassignment.data.provider, before.provider)
  assert.match(reassignment.data.effect, /^Drover asks .+ to cancel, then books .+ for \$.+ instead of \$/)
  const moved = await tool(api, 'commit_reassignment', { confirmation: reassignment.confirmation })
  assert.equal(moved.data?.status, 'booked', JSON.stringify(moved))
  assert.equal((await read(api, id)).service_quote.price_cents, reassignment.data.price_cents)

  const cancellation = await plan(api, 'cancellation', { ...named, reason: 'They changed their mind.' })
  assert.equal((await read(api, id)).status, 'booked')
  const cancelled = await tool(api, 'commit_cancellation', { confirmation: cancellation.confirmation })
  assert.equal(cancelled.data?.status, 'cancelled', JSON.stringify(cancelled))
  const refused = await tool(api, 'plan_booking', named)
  assert.equal(refused.error.code, 'not_bookable')
})

test('a draft manifest is submitted by its plan', async (t) => {
  const api = await writing(t)
  const { id, reference } = await create(api, {
    delivery_type: 'standard',
    book_delivery_now: true,
  })
  assert.equal((await read(api, id)).status, 'booked')
  const body = {
    store_reference: 'melbourne-cbd',
    create_manifest_now: false,
    ready_to_manifest: true,
    delivery_references: [reference],
  }
  const made = await api.call('POST /demo/store-manifests', { body })
  const [draft] = made.json.data ?? []
  assert.ok(draft, made.text)
  const named = { manifest_id: draft.id }
  const planned = await plan(api, 'manifest_submission', named)
  assert.match(planned.data.effect, /: 1 delivery\. You cannot undo this in Drover\.$/)
  const submitted = await tool(api, 'commit_manifest_submission', { confirmation: planned.confirmation })
  assert.equal(submitted.data?.status, 'submitted', JSON.stringify(submitted))
  const after = await tool(api, 'plan_manifest_submission', named)
  assert.match(after.data.effect, /^Nothing changes/)
})

test('a commit is refused if the price or the delivery has changed since the plan', async (t) => {
  const api = await writing(t)
  const { id } = await create(api)
  const named = { delivery_id_or_reference: id }
  const amend = { ...named, ready_for_pickup_at: '2026-11-24T15:00:00+11:00' }
  const dearer = await plan(api, 'amendment', amend)
  await raisePrices(api)
  const { error } = await tool(api, 'commit_amendment', { confirmation: dearer.confirmation })
  assert.equal(error.code, 'option_changed')
  assert.match(
    error.detail,
    /has changed since it was planned\. A new plan would be: .+ Nothing was changed\. Plan again/,
  )
  const { ready_for_pickup_at } = await read(api, id)
  assert.match(ready_for_pickup_at, /T14:00/)

  const cancellation = await plan(api, 'cancellation', named)
  await api.call(`PATCH /demo/deliveries/${id}/book`)
  const stale = await tool(api, 'commit_cancellation', { confirmation: cancellation.confirmation })
  assert.equal(stale.error.code, 'option_changed')
  assert.equal((await read(api, id)).status, 'booked')
})

test('a quote holds the price of a plan when the price list goes up, until the cut-off', async (t) => {
  const api = await writing(t)
  const body = deliveryBody()
  const planned = await plan(api, 'delivery', body)
  await raisePrices(api)
  assert.ok((await plan(api, 'delivery', body)).data.price_cents > planned.data.price_cents)
  const { data } = await tool(api, 'commit_delivery', { confirmation: planned.confirmation })
  assert.equal(data.service_quote.price_cents, planned.data.price_cents)

  const late = deliveryBody({ delivery_type: 'flexible', ready_for_pickup_at: '2026-11-24T11:00:00+11:00' })
  const today = await plan(api, 'delivery', late)
  await api.fixture.setClock(TUESDAY_TEN_MS + 160 * 60_000)
  const { error } = await tool(api, 'commit_delivery', { confirmation: today.confirmation })
  assert.equal(error.code, 'option_changed')
  assert.equal((await api.call(`GET /demo/deliveries/${late.reference}`)).status, 404)
})

test('a confirmation that is forged, foreign, for another tool or ten minutes old is refused', async (t) => {
  const api = await writing(t)
  const { id } = await create(api)
  const named = { delivery_id_or_reference: id }
  const { confirmation, expires_at } = await plan(api, 'cancellation', named)
  const mine = { scopes: ['deliveries:write'], name: 'Another assistant' }
  const { client_id, client_secret } = (
    await api.operator('POST /admin/accounts/demo/clients', { body: mine })
  ).json.data
  const token = await api.tokenOf(client_id, client_secret)
  const [payload = '', signature = ''] = confirmation.slice(4).split('.')
  const swapped = payload.startsWith('A') ? `B${payload.slice(1)}` : `A${payload.slice(1)}`
  const cases: [name: string, tool: string, args: object, words: RegExp, asking?: Asking][] = [
    ['nothing', 'commit_cancellation', {}, /confirmation/],
    ['no text', 'commit_cancellation', { confirmation: 7 }, /confirmation/],
    ['words', 'commit_cancellation', { confirmation: 'yes' }, /did not issue it/],
    [
      'a changed plan',
      'commit_cancellation',
      { confirmation: `cfm_${swapped}.${signature}` },
      /did not issue/,
    ],
    ['cut short', 'commit_cancellation', { confirmation: confirmation.slice(0, -1) }, /incomplete/],
    ['more fields', 'commit_cancellation', { confirmation, ...named }, /delivery_id_or_reference/],
    ['another tool', 'commit_booking', { confirmation }, /is for commit_cancellation/],
    ['another client', 'commit_cancellation', { confirmation }, /did not issue it to this client/, { token }],
  ]
  for (const [name, called, args, words, asking] of cases) {
    const { error } = await tool(api, called, args, asking)
    assert.equal(error?.code, 'invalid_request', name)
    assert.match(error.detail, words, name)
  }
  const reader = await api.tokenOf('demo-client', 'demo-secret', 'deliveries:read')
  const unscoped = await tool(api, 'commit_cancellation', { confirmation }, { token: reader })
  assert.equal(unscoped.error.code, 'insufficient_scope')
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse(expires_at) + 1 })
  const { error } = await tool(api, 'commit_cancellation', { confirmation })
  assert.match(error.detail, /expired; it lasts ten minutes/)
  t.mock.timers.reset()
  assert.equal((await read(api, id)).status, 'requested')
})

test('wrong arguments of a plan get the API’s own words, and a plan too large to repeat is refused', async (t) => {
  const api = await writing(t)
  const body = deliveryBody({ customer: { first_name: 'Ada' }, colour: 'red' })
  const { error } = await tool(api, 'plan_delivery', body)
  const { json } = await api.call('POST /demo/deliveries', { body })
  assert.deepEqual(error.errors, json.errors)
  const { reference } = await create(api)
  const taken = await tool(api, 'plan_delivery', deliveryBody({ reference }))
  assert.equal(taken.error.code, 'duplicate_reference')
  const noise = (at: number) => createHash('sha512').update(`${at}`).digest('base64')
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, noise(at)]))
  const large = await tool(api, 'plan_delivery', deliveryBody({ metadata }))
  assert.match(large.error.detail, /too large to confirm/)
})

test('each step has its row in the audit log, and the change its own', async (t) => {
  const api = await writing(t)
  const { id } = await create(api)
  const { confirmation } = await plan(api, 'booking', { delivery_id_or_reference: id })
  await tool(api, 'commit_booking', { confirmation })
  await tool(api, 'commit_booking', { confirmation })
  await tool(api, 'commit_booking', { confirmation: 'yes' })
  const rowsOf = async (action: string) =>
    (await api.call(`GET /demo/audit-log?action=${action}`)).json.data.map(
      ({ actor, object, after }: Record<string, { id: string }>) => [actor?.id, object, after],
    )
  const row = (tool: string, outcome: string, object: string | null) => [
    'demo-client',
    object,
    { tool, outcome, personal_data: false },
  ]
  assert.deepEqual(await rowsOf('callMcp'), [
    row('commit_booking', 'invalid_request', null),
    row('commit_booking', 'ok', id),
    row('commit_booking', 'ok', id),
    row('plan_booking', 'ok', id),
  ])
  assert.deepEqual(await rowsOf('bookDelivery'), [['demo-client', id, { status: 'booked' }]])
})
