import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { FAILURE_BODIES } from '../../test/failure-bodies.ts'
import { FREIGHT_CARRIER } from '../../test/freight-carrier.ts'
import { LIVE_CARRIERS, liveCarrier, liveConsignment, over } from '../../test/live-carriers.ts'
import type { Consignment, Outcome } from './port/carrier.ts'
import type { CarrierResponse } from './port/send.ts'

const HOUR_MS = 3_600_000

function yes<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'yes') assert.fail(JSON.stringify(outcome))
  return outcome.value
}

/** All live carriers, and one that quotes no price at booking and can't be searched. */
const CARRIERS = [...LIVE_CARRIERS, ['a freight carrier', FREIGHT_CARRIER] as const]

for (const [name, known] of CARRIERS) {
  const { secret, codes, collectedInMinutes } = known
  const consignment: Consignment = { ...liveConsignment, carrierCode: codes[0] }

  test(`${name} books, with an id for every unit that fits a label`, async (t) => {
    const live = await liveCarrier(t, name, known)
    const booking = yes(await live.carrier().book(consignment))
    assert.deepEqual(
      booking.articles.map(({ parcelReference, articleIds }) => [parcelReference, articleIds.length]),
      [
        ['P1', 2],
        ['P2', 1],
      ],
    )
    const ids = booking.articles.flatMap(({ articleIds }) => articleIds)
    assert.equal(new Set(ids).size, 3)
    for (const id of ids) assert.match(id, /^[A-Z0-9]{1,30}$/)
    assert.ok(booking.costCents > 0)
    assert.equal(live.bookings(), 1)
  })

  test(`${name} resolves an unknown outcome by its recovery method, without a second booking`, async (t) => {
    for (const kind of ['lost', 'garbled', 'failed_answer'] as const) {
      const live = await liveCarrier(t, name, known)
      const carrier = live.carrier()
      live.spoilBooking(kind)
      assert.equal((await carrier.book(consignment)).kind, 'unknown')
      if (carrier.recovery.kind === 'idempotency_key') yes(await carrier.book(consignment))
      if (carrier.find) {
        const found = yes(await carrier.find(consignment.key, consignment, consignment.askedAtMs))
        assert.ok(found?.consignmentNumber)
      }
      assert.equal(live.bookings(), 1)
    }
  })

  test(`${name} finds no booking after a create that never arrived`, async (t) => {
    const live = await liveCarrier(t, name, known)
    const carrier = live.carrier()
    live.spoilBooking('cut')
    assert.equal((await carrier.book(consignment)).kind, 'unknown')
    if (carrier.find)
      assert.equal(yes(await carrier.find(consignment.key, consignment, consignment.askedAtMs)), null)
    assert.equal(live.bookings(), 0)
  })

  test(`${name} cancels once, accepts a repeated cancel, and rejects an unknown booking`, async (t) => {
    const live = await liveCarrier(t, name, known)
    const carrier = live.carrier()
    if (!carrier.cancel) return
    const booking = yes(await carrier.book(consignment))
    const ref = booking.carrierRef ?? booking.consignmentNumber
    yes(await carrier.cancel(ref))
    yes(await carrier.cancel(ref))
    const unknown = await carrier.cancel('X 1/2?')
    assert.deepEqual(unknown.kind === 'no' && unknown.retry, 'nobody')
  })

  test(`${name} does not cancel a collected delivery`, async (t) => {
    const live = await liveCarrier(t, name, known)
    const carrier = live.carrier()
    if (!carrier.cancel) return
    const booking = yes(await carrier.book(consignment))
    const ref = booking.carrierRef ?? booking.consignmentNumber
    const order = { key: 'man_01', group: 'GROUP', dangerousGoods: false, refs: [ref] }
    if (carrier.manifest) yes(await carrier.manifest.submit(order))
    await live.advance(collectedInMinutes)
    const outcome = await carrier.cancel(ref)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'nobody')
  })

  test(`${name} reports whether its credentials work, and books nothing without valid ones`, async (t) => {
    const live = await liveCarrier(t, name, known)
    yes(await live.carrier().check!())
    const wrong = live.carrier({ [secret]: 'd3Jvbmc' })
    assert.notEqual((await wrong.check!()).kind, 'yes')
    const outcome = await wrong.book(consignment)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'later')
    assert.equal(live.bookings(), 0)
  })

  test(`${name} books at the quote while it is valid, and without it afterwards`, async (t) => {
    const live = await liveCarrier(t, name, known)
    const carrier = live.carrier()
    const { from, to, readyAtMs, parcels, declaredValueCents, productTypes, storeReference } = consignment
    const end = { business: false }
    const ask = {
      ...{ readyAtMs, parcels, declaredValueCents, productTypes, storeReference },
      carrierCodes: codes,
      ...{ signatureRequired: false, idCheckRequired: false },
      from: { ...from, ...end },
      to: { ...to, ...end },
    }
    if (!carrier.rates) return
    const rates = yes(await carrier.rates(ask))
    assert.deepEqual(
      rates.map(({ carrierCode }) => carrierCode),
      codes,
    )
    for (const { lines, priceCents } of rates) {
      assert.equal(
        lines.reduce((sum, { cents }) => sum + cents, 0),
        priceCents,
      )
    }
    const [rate] = rates
    assert.ok(rate && rate.expiresAtMs > live.fake.clock.nowMs())
    // A carrier that returns no price at booking costs the price that it was chosen by.
    const { priceCents: ratedCents, quoteId: quoted } = rate
    const booking = yes(await carrier.book({ ...consignment, ratedCents, quoteId: quoted }))
    assert.equal(booking.costCents, rate.priceCents)

    const late = yes(await carrier.rates(ask))[0]!
    live.fake.clock.advance(late.expiresAtMs - live.fake.clock.nowMs() + 1)
    const askedAtMs = live.fake.clock.nowMs()
    const other = { ...consignment, key: 'dlv_02-1', askedAtMs, readyAtMs: askedAtMs + HOUR_MS }
    yes(await carrier.book({ ...other, quoteId: late.quoteId }))
    assert.equal(live.bookings(), 2)

    for (const [kind, key] of [
      ['lost', 'dlv_03-1'],
      ['cut', 'dlv_04-1'],
    ] as const) {
      const quoteId: string | null = yes(await carrier.rates(ask))[0]!.quoteId
      const quoted: Consignment = { ...other, key, quoteId }
      live.spoilBooking(kind)
      const before = live.bookings()
      assert.equal((await carrier.book(quoted)).kind, 'unknown')
      assert.equal(live.bookings(), kind === 'lost' ? before + 1 : before)
      const found = carrier.find ? yes(await carrier.find(key, quoted, quoted.askedAtMs)) : null
      if (carrier.find) assert.equal(found !== null, kind === 'lost')
      if (carrier.recovery.kind === 'idempotency_key') {
        const rebooked = yes(await carrier.book(quoted))
        if (found) assert.equal(rebooked.consignmentNumber, found.consignmentNumber)
        assert.equal(live.bookings(), before + 1)
      }
    }
  })

  test(`${name}: an unsent request may be retried later; an unclear response is an unknown outcome`, async () => {
    const cases: [CarrierResponse, string][] = [
      [{ kind: 'not_sent', message: 'refused' }, 'no later'],
      [{ kind: 'no_answer', message: 'reset' }, 'unknown'],
      [{ kind: 'answered', status: 500, body: { code: 'internal_server_error', message: '' } }, 'unknown'],
      [{ kind: 'answered', status: 502, body: '<html>' }, 'unknown'],
      [{ kind: 'answered', status: 408, body: null }, 'unknown'],
      [{ kind: 'answered', status: 302, body: null }, 'unknown'],
      [{ kind: 'answered', status: 200, body: '{"id":' }, 'unknown'],
      [{ kind: 'answered', status: 201, body: {} }, 'unknown'],
      [{ kind: 'answered', status: 429, body: null }, 'no later'],
      [{ kind: 'answered', status: 400, body: 'bad' }, 'unknown'],
      [{ kind: 'answered', status: 404, body: '<html>a proxy</html>' }, 'unknown'],
    ]
    for (const [response, expected] of cases) {
      const outcome = await over(name, response, known).book(consignment)
      const message = outcome.kind === 'no' ? `no ${outcome.retry}` : outcome.kind
      assert.equal(message, expected, JSON.stringify(response))
    }
  })

  test(`${name}: a message about a time-out or internal failure is an unknown outcome under any status`, async () => {
    for (const body of FAILURE_BODIES) {
      for (const status of [400, 404, 409, 410, 422]) {
        const carrier = over(name, { kind: 'answered', status, body }, known)
        const message = JSON.stringify([status, body])
        assert.equal((await carrier.book(consignment)).kind, 'unknown', message)
        const order = { key: 'man_01', group: 'GROUP', dangerousGoods: false, refs: ['1/A'] }
        assert.equal((await carrier.cancel?.('1/A'))?.kind ?? 'unknown', 'unknown', message)
        assert.equal((await carrier.find?.('k', consignment, 0))?.kind ?? 'unknown', 'unknown', message)
        assert.equal((await carrier.manifest?.submit(order))?.kind ?? 'unknown', 'unknown', message)
      }
    }
  })

  test(`${name} survives any response and never reads a malformed one as success`, async () => {
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('constructor', '__proto__', '\u0000', '\ud800'))
    const words = fc.record(
      {
        ...{ id: odd, status: odd, fee: odd, currency: odd, external_delivery_id: odd, delivery_status: odd },
        ...{ code: odd, message: odd, metadata: odd, field_errors: odd, data: odd, next_href: odd },
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(200, 201, 204, 400, 401, 404, 409, 422, 500, 503),
        fc.oneof(odd, words),
        async (status, body) => {
          const carrier = over(name, { kind: 'answered', status, body }, known)
          assert.notEqual((await carrier.book(consignment)).kind, 'yes')
          await carrier.cancel?.('X')
          await carrier.find?.('k', consignment, 0)
          await carrier.track?.poll(['X'])
          await carrier.check?.()
          carrier.readWebhook?.({ headers: {}, body: Buffer.from(JSON.stringify(body) ?? '') })
        },
      ),
      { numRuns: 200 },
    )
  })
}
