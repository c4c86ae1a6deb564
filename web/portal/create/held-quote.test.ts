import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuoteAnswer, QuoteRequest } from '../../shared/api.generated.ts'
import { choosableOf, quoteIdOf } from './held-quote.ts'

const quote = { store_reference: 'fitzroy' } as QuoteRequest
const option = (quote_id: string) => ({ quote_id }) as NonNullable<QuoteAnswer['data']['fast']>
const service = (delivery_type: string, price_cents: number) => ({
  eligible: true,
  delivery_type,
  price_cents,
})
const explanation = { services: [service('fast', 900), service('flexible', 790)], warnings: [] }
const shown = {
  data: { fast: option('quo_fast'), flexible: option('quo_flexible') },
  explanation: explanation as unknown as NonNullable<QuoteAnswer['explanation']>,
  of: JSON.stringify(quote),
}

test('the held quote is that of the chosen type, or else of the service that would be booked first', () => {
  assert.equal(quoteIdOf(shown, quote, 'fast'), 'quo_fast')
  assert.equal(quoteIdOf(shown, quote, null), 'quo_fast', 'the first, not the cheapest')
  assert.equal(quoteIdOf(shown, quote, 'express'), null)
})

test('no quote is held while the options of an earlier form are shown', () => {
  assert.equal(quoteIdOf(shown, { ...quote, store_reference: 'perth-cbd' }, 'fast'), null)
  assert.equal(quoteIdOf(shown, null, 'fast'), null)
  assert.equal(quoteIdOf(undefined, quote, 'fast'), null)
})

test('of each delivery type, only the service that would be booked first can be chosen', () => {
  const services = [
    service('flexible', 990),
    service('fast', 900),
    service('flexible', 790),
    { eligible: false, delivery_type: 'express' },
  ] as unknown as Parameters<typeof choosableOf>[0]
  assert.deepEqual(choosableOf(services), [services[0], services[1]])
  assert.deepEqual(choosableOf([]), [])
})
