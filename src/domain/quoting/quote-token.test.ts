import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleAccount } from '../../../test/demo-account.ts'
import { jobAt, serviceOf, TUESDAY_TEN } from '../../../test/jobs.ts'
import { decide, makeWindowFinder } from './decide.ts'
import type { Decision } from './decision.ts'
import { heldOptions, heldUntilMs, keepsWindow, type OptionHold } from './quote-token.ts'

const account = exampleAccount('demo-account')
const job = jobAt(account)
const decision = decide(account, job, TUESDAY_TEN)
const today = decision.options.find(({ service }) => service.service === 'TODAY')!
const at = (time: string) => Date.parse(`2026-11-24T${time}:00+11:00`)
const HALF_HOUR_MS = 30 * 60_000

const hold: OptionHold = {
  kind: 'option',
  deliveryType: 'flexible',
  provider: 'swiftly',
  service: 'TODAY',
  priceCents: today.priceCents,
  window: today.window,
  quote: null,
}

test('a held window applies while the service can still arrive in it', () => {
  const held = { fromMs: at('14:00'), toMs: at('20:00') }
  const cases: [from: string, to: string, kept: boolean][] = [
    ['14:00', '20:00', true],
    ['19:59', '21:00', true],
    ['20:00', '22:00', false],
    ['10:00', '14:00', false],
    ['10:00', '14:01', true],
  ]
  for (const [from, to, holds] of cases)
    assert.equal(keepsWindow({ fromMs: at(from), toMs: at(to) }, held), holds, `${from} – ${to}`)
})

test('a held window does not move within the hour, and ends with the cut-off', () => {
  const [option] = heldOptions(decide(account, job, at('11:00')), hold, 0)
  assert.deepEqual([option?.window, option?.priceCents], [today.window, today.priceCents])
  assert.deepEqual(heldOptions(decide(account, job, at('12:40')), hold, 0), [])
})

test('a higher price list does not change a held price; the difference is a separate line', () => {
  const dearer: Decision = {
    ...decision,
    options: decision.options.map((option) => ({
      ...option,
      priceCents: option.priceCents + 500,
      lines: [...option.lines, { name: 'surcharge', cents: 500, detail: null }],
    })),
  }
  const [option] = heldOptions(dearer, hold, 0)
  assert.equal(option?.priceCents, today.priceCents)
  assert.deepEqual(option?.lines.at(-1), {
    name: 'held_price',
    cents: -500,
    detail: 'the price that was quoted',
  })
  assert.equal(
    option?.lines.reduce((sum, { cents }) => sum + cents, 0),
    today.priceCents,
  )
})

test('a higher carrier price ends the hold, but not while the carrier’s quote is valid', () => {
  const quoted = (priceCents: number, expiresAtMs: number) => ({
    id: `q${priceCents}`,
    priceCents,
    expiresAtMs,
  })
  const live = (priceCents: number): Decision => ({
    ...decision,
    options: decision.options.map((option) => ({ ...option, quote: quoted(priceCents, 9_000) })),
  })
  const held = { ...hold, quote: quoted(700, 1_000) }
  const keptAt = (priceCents: number, wallMs: number) =>
    heldOptions(live(priceCents), held, wallMs).map(({ quote }) => quote?.id)
  assert.deepEqual(keptAt(900, 999), ['q700'])
  assert.deepEqual(keptAt(900, 1_001), [])
  assert.deepEqual(keptAt(700, 1_001), ['q700'])
  assert.deepEqual(keptAt(600, 1_001), ['q600'])
})

test('a held window offers every service of its type that can arrive in it, at current prices', () => {
  const window = { fromMs: at('13:00'), toMs: at('20:00') }
  const options = heldOptions(decision, { kind: 'window', deliveryType: 'flexible', window }, 0)
  assert.deepEqual(
    options.map(({ service, priceCents, window: shown }) => [service.service, priceCents, shown]),
    [['TODAY', today.priceCents, window]],
  )
})

test('a quote token expires by the cut-off of its window', () => {
  const windowAt = makeWindowFinder(serviceOf(account, 'TODAY'), job)
  const until = (from: string) => heldUntilMs(windowAt, { nowMs: at(from), untilMs: at(from) + HALF_HOUR_MS })
  assert.equal(until('10:00'), at('10:30'))
  // The cut-off is 12:30 inclusive, and the store needs 15 minutes.
  const last = until('12:00')
  assert.ok(last <= at('12:16') && last > at('12:16') - 2_000, new Date(last).toISOString())
})

test('a held window applies until its expiry and never afterwards', () => {
  const services = account.services
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: services.length - 1 }),
      fc.integer({ min: 0, max: 14 * 1_440 }),
      fc.integer({ min: 5, max: 240 }),
      fc.integer({ min: 0, max: 1_440 }),
      (index, minute, life, after) => {
        const windowAt = makeWindowFinder(services[index]!, job)
        const nowMs = TUESDAY_TEN + minute * 60_000
        const held = windowAt(nowMs)
        fc.pre(held !== null)
        const untilMs = nowMs + life * 60_000
        const last = heldUntilMs(windowAt, { nowMs, untilMs })
        assert.ok(last >= nowMs && last <= untilMs)
        assert.ok(keepsWindow(windowAt(last)!, held!))
        if (last === untilMs) return
        const later = windowAt(last + 2_000 + after * 60_000)
        assert.ok(later === null || !keepsWindow(later, held!))
      },
    ),
    { numRuns: 300 },
  )
})
