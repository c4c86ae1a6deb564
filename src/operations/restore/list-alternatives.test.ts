import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, TUESDAY_TEN_MS } from '../../../test/fixture.ts'
import { restoredAfter } from '../../../test/restored-database.ts'
import type { Account } from '../../domain/account/account.ts'
import { getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import { listAlternatives } from './list-alternatives.ts'

test('the customer’s price is the one that was shown, fixed, or known from the charge', async (t) => {
  const { fixture, named } = await restoredAfter(t, { 'PRICE-1': { deliveryType: 'standard' } })
  const entry = fixture.demo()
  const row = await getDeliveryRow(fixture.deps, entry, anyone, named('PRICE-1'))
  const pricing: Account['pricing'] = { ...entry.account.pricing, markupPercent: 10, fixedCents: {} }
  const services = entry.account.services.map((service) => ({ ...service, livePrice: true }))
  const live = { ...entry.account, services, pricing }
  const first = (account: Account, chosen = row.chosen) => {
    const [listed] = listAlternatives(account, { ...row, chosen }, [TUESDAY_TEN_MS])
    assert.ok(listed)
    const { option, chargeCents, markupPercent } = listed.alternative
    return { priceCents: option.priceCents, quote: option.quote, chargeCents, markupPercent }
  }
  const { provider, service } = listAlternatives(live, row, [TUESDAY_TEN_MS])[0]!.alternative
  const quote = { id: 'q1', expiresAtMs: 1, priceCents: 800 }
  assert.ok(row.chosen)
  const shown = { ...row.chosen, provider, service, priceCents: 880, quote }
  assert.deepEqual(first(live, shown), { priceCents: 880, quote, chargeCents: 800, markupPercent: null })
  assert.deepEqual(first(live, null), { priceCents: 0, quote: null, chargeCents: null, markupPercent: 10 })
  const fixed = { ...live, pricing: { ...pricing, fixedCents: { standard: 995 } } }
  assert.deepEqual(first(fixed, null), {
    priceCents: 995,
    quote: null,
    chargeCents: null,
    markupPercent: null,
  })
})
