import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readAccount } from './validation/validate.ts'

test('an empty account has the decided defaults', () => {
  const { limits, booking, pricing, modes, own_carriers, capabilities, ...given } = parse(
    readFileSync(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'),
    { merge: true },
  )
  assert.ok(limits && booking && modes, 'the example says them')
  const { document, mistakes } = readAccount({
    ...given,
    stores: given.stores.map(({ modes: _, ...store }: Record<string, unknown>) => store),
  })
  assert.deepEqual(mistakes, [])
  assert.deepEqual(document?.limits, { requests_per_second: 50, burst: 200 })
  assert.deepEqual(document?.booking, {
    lead_minutes: 60,
    give_up_minutes: 240,
    replan_when_off: false,
    replan_when_dark_minutes: null,
    order: 'cheapest',
  })
  assert.deepEqual(document?.pricing, { markup_percent: 0, fixed_cents: {} })
  assert.deepEqual(document?.modes, ['store_to_door'])
  assert.deepEqual([document?.own_carriers, document?.capabilities], [false, { click_and_deliver: false }])
})
