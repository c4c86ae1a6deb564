import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, testApi } from '../../../../test/api.ts'
import { until } from '../../../../test/wait-until.ts'
import {
  claimDeliveries,
  processDueDeliveries,
} from '../../../operations/deliveries/process-due-deliveries.ts'

/** `EXCEPTIONS=200 npm test -- mcp/morning-round` plays the long round. One answer lists up to 200. */
const EXCEPTIONS = Number(process.env.EXCEPTIONS ?? 24)

/** Four hours after the parcels of Tuesday, 2 pm are ready: Drover has given up finding a carrier for them. */
const TUESDAY_NIGHT_MS = Date.parse('2026-11-24T19:00:00+11:00')
const WEDNESDAY_EIGHT_MS = Date.parse('2026-11-25T08:00:00+11:00')
/** Later than the window of a delivery that was ready on Wednesday at 9. */
const WEDNESDAY_NOON_MS = Date.parse('2026-11-25T12:00:00+11:00')
const WEDNESDAY_NINE = { ready_for_pickup_at: '2026-11-25T09:00:00+11:00' }
const CARRIERS = ['swiftly', 'southern_parcels', 'big_haul']

type Exception = { kind: string; tool: string; id: string; reference: string }
/** What went wrong in the night, by the reference's first word. Each cause makes a quarter of the exceptions. */
const CAUSES = {
  /** Every carrier was switched off until Drover gave up. */
  strike: { ending: '', over: {}, ends: 'booked' },
  /** No carrier answered until Drover gave up, and no carrier answers in the morning. */
  outage: { ending: '-down', over: {}, ends: 'cancelled' },
  /** Every carrier refuses it. */
  refused: { ending: '-rejected', over: { ...WEDNESDAY_NINE, book_delivery_now: true }, ends: 'cancelled' },
  /** Its courier has it, and no report has arrived by the end of its window. */
  late: {
    ending: '',
    over: { ...WEDNESDAY_NINE, book_delivery_now: true, delivery_type: 'fast' },
    ends: 'delivered',
  },
} as const
type Cause = keyof typeof CAUSES

/** The changes that an assistant tries for each kind of exception, in this order. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  on_hold: ['booking', 'cancellation'],
  late: ['reassignment'],
}
/** A carrier refuses what it offered, or has the parcels. The exception stays as it was. */
const REFUSALS = new Set(['option_changed', 'cancel_refused'])
const SOLVED = new Set(['booked', 'cancelled'])

// biome-ignore lint/suspicious/noExplicitAny: a test reads any answer.
async function tool(api: Api, name: string, args: object = {}): Promise<any> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const { json, text } = await api.call('POST /demo/mcp?tools=write', { body })
  assert.ok(json.result, text)
  return json.result.structuredContent
}

async function create(api: Api, cause: Cause, count: number): Promise<void> {
  const { ending, over } = CAUSES[cause]
  for (let number = 1; number <= count; number++) {
    const body = deliveryBody({ ...over, reference: `${cause}-${number}${ending}` })
    const { status, text } = await api.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
  }
}

async function switchCarriers(api: Api, on: boolean): Promise<void> {
  for (const provider of CARRIERS) {
    const { status, text } = await api.call(`PUT /demo/carriers/${provider}/switch`, { body: { on } })
    assert.equal(status, 200, text)
  }
}

/** What the workers do in a night: until no delivery is due. */
async function work({ fixture: { deps } }: Api): Promise<void> {
  for (;;) {
    const due = await claimDeliveries(deps, 50)
    if (due.length === 0) return
    await processDueDeliveries(deps, due)
  }
}

async function makeExceptions(api: Api, each: number): Promise<void> {
  await create(api, 'strike', each)
  await create(api, 'outage', each)
  await switchCarriers(api, false)
  await api.fixture.setClock(TUESDAY_NIGHT_MS)
  await work(api)
  await switchCarriers(api, true)
  await api.fixture.setClock(WEDNESDAY_EIGHT_MS)
  await create(api, 'refused', each)
  await create(api, 'late', each)
  await api.fixture.setClock(WEDNESDAY_NOON_MS)
}

/**
 * Follows the exception's own tool, then plans and commits changes until one solves it. Returns the changes made. Only
 * an exception whose courier has the parcels may wait for the courier's report.
 */
async function solve(api: Api, { kind, tool: next, id, reference }: Exception): Promise<string[]> {
  const named = { delivery_id_or_reference: id }
  assert.equal((await tool(api, next, named)).error, undefined, `${reference}: ${next}`)
  const made: string[] = []
  for (const change of CHANGES[kind] ?? []) {
    const planned = await tool(api, `plan_${change}`, named)
    if (planned.error) continue
    const { error } = await tool(api, `commit_${change}`, { confirmation: planned.confirmation })
    if (REFUSALS.has(error?.code)) continue
    assert.equal(error, undefined, `${reference}: ${JSON.stringify(error)}`)
    made.push(change)
    const { status } = (await tool(api, 'get_delivery', named)).data
    if (SOLVED.has(status)) return made
  }
  assert.equal(kind, 'late', `${reference} is ${kind}, and no plan solves it: ${made}`)
  return made
}

test(`a morning's round solves ${EXCEPTIONS} exceptions with the tools alone`, async (t) => {
  const api = await testApi(t, { work: false })
  const each = Math.floor(EXCEPTIONS / Object.keys(CAUSES).length)
  await makeExceptions(api, each)
  const first = await tool(api, 'exceptions_today')
  assert.equal(first.is_complete, true)
  const kinds = Map.groupBy(first.data as Exception[], ({ kind }) => kind)
  assert.deepEqual(
    [...kinds].map(([kind, entries]) => [kind, entries.length]),
    [
      ['on_hold', 3 * each],
      ['late', each],
    ],
  )
  const changes = new Map<string, string[]>()
  for (const exception of first.data as Exception[]) {
    changes.set(exception.reference, await solve(api, exception))
  }
  const left = (await tool(api, 'exceptions_today')).data as Exception[]
  assert.deepEqual(new Set(left.map(({ kind }) => kind)), new Set(['late']))
  // The sandbox's couriers report once the workers run.
  api.fixture.parts.runner.start()
  const end = await until(async () => {
    const today = await tool(api, 'exceptions_today')
    return today.data?.length === 0 && today
  }, 'a day without exceptions')
  assert.equal(end.is_complete, true)
  for (const [cause, { ending, ends }] of Object.entries(CAUSES)) {
    for (let number = 1; number <= each; number++) {
      const reference = `${cause}-${number}${ending}`
      const { data } = await tool(api, 'get_delivery', { delivery_id_or_reference: reference })
      assert.equal(data.status, ends, `${reference}: ${changes.get(reference)}`)
    }
  }
  t.diagnostic(`${changes.size} exceptions solved by ${[...changes.values()].flat().length} changes`)
})
