import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Hold } from '../../../domain/quoting/quote-token.ts'
import { openQuoteToken, type QuoteToken, sealQuoteToken, type TokenPlace, toDigests } from './quote-token.ts'

const place: TokenPlace = {
  secretKey: 'a secret key for tests, long enough',
  accountId: 'demo',
  linkId: null,
}
const hold: Hold = {
  kind: 'option',
  deliveryType: 'flexible',
  provider: 'southern_parcels',
  service: 'TODAY',
  priceCents: 1_431,
  window: { fromMs: Date.parse('2026-11-24T03:00:00Z'), toMs: Date.parse('2026-11-24T09:00:00Z') },
  quote: { id: 'dqt_2Xh9QkPz1fVb7LmN', expiresAtMs: 1_795_000_000_123, priceCents: 1_240 },
}
const fields = Array.from({ length: 13 }, (_, index) => ({
  field: `f${index}`,
  text: index % 4 ? 'x' : null,
}))
const token: QuoteToken = {
  hold,
  untilMs: 1_795_000_900_000,
  keptUntilMs: 1_795_000_800_000,
  bound: toDigests(place, fields),
}

test('a quote token decodes as it was made, for an option and for a window', () => {
  assert.deepEqual(openQuoteToken(place, sealQuoteToken(place, token)), token)
  const { quote: _, ...rest } = hold
  const listed = { ...token, hold: { ...rest, quote: null } }
  assert.deepEqual(openQuoteToken(place, sealQuoteToken(place, listed)), listed)
  const window = { kind: 'window', deliveryType: 'express', window: hold.window } as const
  assert.deepEqual(openQuoteToken(place, sealQuoteToken(place, { ...token, hold: window }))?.hold, window)
})

test('a quote token is short and opaque', () => {
  const text = sealQuoteToken(place, token)
  assert.ok(text.length < 400, `${text.length}`)
  assert.notEqual(sealQuoteToken(place, token), text)
  const bytes = Buffer.from(text.slice(4), 'base64url').toString('latin1')
  assert.ok(!bytes.includes('southern') && !bytes.includes('1431'))
})

test('a long carrier quote id is left out, and the carrier gets a new quote request', () => {
  const long = { ...hold, quote: { id: 'q'.repeat(500), expiresAtMs: 1, priceCents: 1 } }
  const text = sealQuoteToken(place, { ...token, hold: long })
  assert.ok(text.length < 400)
  assert.deepEqual(openQuoteToken(place, text)?.hold, { ...hold, quote: null })
})

test('a quote token of another account, link or installation is rejected', () => {
  const text = sealQuoteToken(place, token)
  const others = [
    { accountId: 'acme' },
    { linkId: 'lnk_1' },
    { secretKey: 'the key of another installation' },
  ]
  for (const other of others) assert.equal(openQuoteToken({ ...place, ...other }, text), null)
  const ofLink = sealQuoteToken({ ...place, linkId: 'lnk_1' }, token)
  assert.equal(openQuoteToken(place, ofLink), null)
})

test('a truncated, changed or invented quote token is rejected without an exception', () => {
  const text = sealQuoteToken(place, token)
  for (let length = 0; length < text.length; length++)
    assert.equal(openQuoteToken(place, text.slice(0, length)), null)
  assert.equal(openQuoteToken(place, `${text}A`), null)
  for (let index = 0; index < text.length; index++) {
    const changed = `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`
    assert.equal(openQuoteToken(place, changed), null, `character ${index}`)
  }
  fc.assert(fc.property(fc.string(), (some) => openQuoteToken(place, some) === null))
  fc.assert(fc.property(fc.base64String(), (some) => openQuoteToken(place, `quo_${some}`) === null))
})

test('a field’s digest depends on the field, its value and the account', () => {
  const of = (more: Partial<TokenPlace>, field = 'parcels', text = 'x') =>
    toDigests({ ...place, ...more }, [{ field, text }])[0]
  assert.equal(of({}), of({}))
  const others = [of({}, 'address'), of({}, 'parcels', 'y'), of({ accountId: 'acme' })]
  assert.equal(new Set([of({}), ...others]).size, 4)
})
