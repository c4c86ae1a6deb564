import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuoteAnswer, QuoteRequest } from '../../shared/api.generated.ts'
import { findChosenOption, listFirstOfTypes, namesCarriers, quoteIdOf, toChoice } from './held-quote.ts'

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

/** The choice of a type. */
const ofType = (deliveryType: string | null) => ({ deliveryType, service: null })

test('the held quote is that of the chosen type, or else of the service that would be booked first', () => {
  assert.equal(quoteIdOf(shown, quote, ofType('flexible')), 'quo_flexible')
  assert.equal(quoteIdOf(shown, quote, ofType(null)), 'quo_fast', 'the first, not the cheapest')
  assert.equal(quoteIdOf(shown, quote, ofType('express')), null)
  const named = { deliveryType: 'fast', service: { provider: 'other', service: 'OTHER' } }
  assert.equal(quoteIdOf(shown, quote, named), null, 'the held quote is that of the first service')
})

test('no quote is held while the options of an earlier form are shown', () => {
  assert.equal(quoteIdOf(shown, { ...quote, store_reference: 'perth-cbd' }, ofType('fast')), null)
  assert.equal(quoteIdOf(shown, null, ofType('fast')), null)
  assert.equal(quoteIdOf(undefined, quote, ofType('fast')), null)
})

test('each service has its own choice, and a request books the chosen service', () => {
  const named = (type: string, cents: number, name: string) => ({
    ...service(type, cents),
    provider: name.toLowerCase(),
    service: name,
  })
  const services = [
    named('flexible', 990, 'ROAD'),
    named('fast', 900, 'TODAY'),
    named('flexible', 790, 'VAN'),
    { eligible: false, delivery_type: 'express' },
  ] as unknown as Parameters<typeof listFirstOfTypes>[0]
  const [road, today, van] = services as Parameters<typeof toChoice>[0][]
  assert.ok(road && today && van)
  assert.deepEqual(listFirstOfTypes(services), [road, today])
  assert.deepEqual(toChoice(road, services), ofType('flexible'))
  assert.deepEqual(toChoice(van, services), {
    deliveryType: 'flexible',
    service: { provider: 'van', service: 'VAN' },
  })
  for (const option of [road, today, van])
    assert.equal(findChosenOption(services, toChoice(option, services)), option)
  assert.equal(findChosenOption(services, ofType(null)), road)
  assert.equal(findChosenOption(services, ofType('express')), undefined)
  assert.equal(namesCarriers(shown.data), false)
  assert.equal(namesCarriers({ fast: { ...option('quo_fast'), provider: 'swiftly' } }), true)
})
