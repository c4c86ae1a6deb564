import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RunningFake } from '../../../../fakes/fake.ts'
import { LIVE_CARRIERS, liveConsignment } from '../../../../test/live-carriers.ts'
import { MORNING_MS } from '../../../../test/sandbox-carriers.ts'
import { isWhole } from '../../kit/label-poller.ts'
import type { Carrier, Outcome } from '../../port/carrier.ts'
import { type Outbound, outbound } from '../../wire/http-send.ts'
import { ARAMEX_AU } from './index.ts'

const consignment = { ...liveConsignment, carrierCode: 'P' }
const { start, credentials, settings } = LIVE_CARRIERS.get('aramex_au')!
let fake: RunningFake
let out: Outbound
let carrier: Carrier
let keys = 0

before(async () => {
  fake = await start({ nowMs: MORNING_MS })
  out = outbound({ allowLoopback: true })
  const send = out.to({ api: `${fake.url}/api`, login: fake.url }, 30_000)
  carrier = ARAMEX_AU.make({ send, credentials, settings: settings!, wallMs: () => fake.clock.nowMs() })
})
after(async () => {
  await fake.close()
  await out.close()
})

function yes<T>(outcome: Outcome<T>): T {
  return outcome.kind === 'yes' ? outcome.value : assert.fail(JSON.stringify(outcome))
}

async function booked(): Promise<string> {
  keys += 1
  return yes(await carrier.book({ ...consignment, key: `key-${keys}` })).carrierRef ?? ''
}

/** The same carrier; `sizes` collects the page size of each listing request. */
function listening(sizes: (string | null)[]): Carrier {
  const toFake = out.to({ api: `${fake.url}/api`, login: fake.url }, 30_000)
  const send: typeof toFake = (request) => {
    const { pathname, searchParams } = new URL(request.path, 'http://aramex.invalid')
    if (pathname === '/consignments') sizes.push(searchParams.get('pageSize'))
    return toFake(request)
  }
  return ARAMEX_AU.make({ send, credentials, settings: settings!, wallMs: () => fake.clock.nowMs() })
}

async function control(path: string, body: object): Promise<void> {
  const answer = await fetch(`${fake.url}/_fake/${path}`, { method: 'POST', body: JSON.stringify(body) })
  assert.ok(answer.ok)
}

test('its labels are one document, and a truncated one is fetched again', async () => {
  const ref = await booked()
  fake.faults.add({ operation: 'labels', kind: 'garbled' })
  assert.equal((await carrier.label!.fetch(ref, 'pdf')).kind, 'no')
  assert.ok(isWhole(yes(await carrier.label!.fetch(ref, 'pdf')), 'pdf'))
})

test('tracks a delivery from pickup to delivery', async () => {
  const ref = await booked()
  assert.deepEqual(yes(await carrier.track!.poll([ref])).events, [])
  await control('advance', { hours: 40 })
  const { events } = yes(await carrier.track!.poll([ref]))
  assert.equal(carrier.track!.idsOf!(ref), 3)
  assert.deepEqual([...new Set(events.map(({ status }) => status))], ['collected', 'delivered'])
  assert.equal(events.filter(({ status }) => status === 'delivered').length, 1)
})

test('finds a booking days later behind many newer ones', async () => {
  await booked()
  const first = `key-${keys}`
  for (let more = 0; more < 3; more += 1) await booked()
  await control('advance', { days: 3 })
  const sizes: (string | null)[] = []
  const found = yes(await listening(sizes).find!(first, consignment, fake.clock.nowMs() - 3 * 86_400_000))
  assert.ok(found)
  assert.deepEqual(new Set(sizes), new Set(['100']), 'their default is not published')
  assert.equal(
    fake.ledger.entries({ what: 'consignment_created' }).filter((one) => one.external_ref_1 === first).length,
    1,
  )
})

test('a prepaid account without balance allows a retry later', async () => {
  await control('balance', { available_cents: 100 })
  keys += 1
  const outcome = await carrier.book({ ...consignment, key: `key-${keys}` })
  assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'later')
  await control('balance', { available_cents: null })
})

test('a repeated cancel succeeds after a lost response', async () => {
  const ref = await booked()
  fake.faults.add({ operation: 'delete_consignment', kind: 'lost' })
  assert.deepEqual(await carrier.cancel!(ref), { kind: 'yes', value: null })
  assert.equal(yes(await carrier.cancel!(ref)), null)
})

test('only a reseller sends from another address, and a missing setting is rejected', async () => {
  const send = out.to({ api: `${fake.url}/api`, login: fake.url }, 30_000)
  const carrierWith = (settings: object) =>
    ARAMEX_AU.make({ send, credentials, settings: { ...settings }, wallMs: () => fake.clock.nowMs() })
  const before = fake.ledger.entries({ what: 'consignment_created' }).length
  for (const settings of [{ sends_from: { address: '1 Elm St', post_code: '3000' } }, {}]) {
    const outcome = await carrierWith(settings).book(consignment)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'another_carrier')
  }
  assert.equal(fake.ledger.entries({ what: 'consignment_created' }).length, before)
  yes(await carrierWith({ sends_from: 'anywhere' }).book({ ...consignment, key: 'reseller' }))
})
