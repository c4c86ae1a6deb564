import { z } from 'zod'
import type { FakeAnswer, FakeRequest, StartFake } from '../fakes/fake.ts'
import { startFake } from '../fakes/fake.ts'
import { signedIn } from '../src/carriers/kit/answer.ts'
import { errorClassifier } from '../src/carriers/kit/error-classifier.ts'
import { generatedArticleIds } from '../src/carriers/kit/generated-article-ids.ts'
import { oneRate } from '../src/carriers/kit/rates.ts'
import type { Adapter } from '../src/carriers/port/adapter.ts'
import { yes } from '../src/carriers/port/outcome.ts'
import { httpVerbs } from '../src/carriers/wire/http-verbs.ts'
import type { LiveCarrier } from './live-carriers.ts'

const PRICE_CENTS = 2_904
const KEPT_MS = 10 * 60_000
const COLLECTED_MS = 60 * 60_000

const WORDS = errorClassifier({
  errors: z
    .object({ code: z.string(), message: z.string() })
    .transform(({ code, message }) => [{ code, field: null, message: message }]),
  adviceByCode: { unauthorised: 'later' },
})

/**
 * A carrier like most Australian freight carriers: it returns a price for a quote but not for a booking, has no
 * idempotency key and no look-up. The contract test runs on it, so that the contract keeps accepting such carriers.
 */
const FREIGHT: Adapter = {
  make({ send, credentials, wallMs }) {
    const api = httpVerbs(send, () => ({ authorization: `Bearer ${credentials.api_key ?? ''}` }))
    return {
      recovery: { kind: 'neither' },
      check: async () => signedIn(WORDS.read(await api.get('/me'), z.object({ me: z.string() }), () => null)),
      rates: async ({ carrierCodes }) =>
        WORDS.read(await api.post('/quotes', {}), z.object({ cents: z.int().positive() }), ({ cents }) =>
          oneRate(carrierCodes, {
            ...{ priceCents: cents, expiresAtMs: wallMs() + KEPT_MS },
            ...{ quoteId: null, window: null },
          }),
        ),
      book: async (consignment) =>
        WORDS.read(
          await api.post('/bookings', { reference: consignment.key }),
          z.object({ number: z.string().regex(/^FR\d+$/) }),
          ({ number }) => ({
            consignmentNumber: number,
            articles: generatedArticleIds('FR', consignment),
            costCents: consignment.ratedCents,
          }),
        ),
      async cancel(number) {
        const answer = await api.post(`/bookings/${encodeURIComponent(number)}/cancel`, {})
        if (WORDS.isRefused(answer, 'cancelled')) return yes(null)
        return WORDS.read(answer, z.unknown(), () => null)
      },
    }
  },
  live: {
    urls: {
      sandbox: { api: 'https://freight.invalid' },
      production: { api: 'https://freight.invalid' },
    },
    credentials: ['api_key'],
  },
}

const refuse = (status: number, code: string): FakeAnswer => ({ status, body: { code, message: 'Sorry.' } })

const startFreight: StartFake = (options) =>
  startFake(({ clock, ledger }) => {
    const booked = new Map<string, { atMs: number; cancelled: boolean }>()
    const answering = (answer: (request: FakeRequest) => FakeAnswer) => (request: FakeRequest) =>
      request.headers.authorization === 'Bearer right' ? answer(request) : refuse(401, 'unauthorised')
    return {
      routes: [
        {
          name: 'get_me',
          method: 'GET',
          path: '/me',
          answer: answering(() => ({ status: 200, body: { me: 'a shop' } })),
        },
        {
          name: 'create_quote',
          method: 'POST',
          path: '/quotes',
          answer: answering(() => ({ status: 200, body: { cents: PRICE_CENTS } })),
        },
        {
          name: 'create_booking',
          method: 'POST',
          path: '/bookings',
          answer: answering(() => {
            const number = `FR${booked.size + 1}`
            booked.set(number, { atMs: clock.nowMs(), cancelled: false })
            ledger.write('booking_created', { number })
            return { status: 201, body: { number } }
          }),
        },
        {
          name: 'cancel_booking',
          method: 'POST',
          path: '/bookings/:number/cancel',
          answer: answering(({ params }) => {
            const found = booked.get(params.number ?? '')
            if (!found) return refuse(404, 'not_found')
            if (found.cancelled) return refuse(409, 'cancelled')
            if (clock.nowMs() >= found.atMs + COLLECTED_MS) return refuse(409, 'collected')
            found.cancelled = true
            return { status: 204 }
          }),
        },
      ],
      signIn: { api_key: 'right' },
      unknownPath: () => refuse(404, 'no_such_path'),
      failure: (status) => refuse(status, 'refused'),
      internalFailure: (status) => refuse(status, 'internal_error'),
    }
  }, options)

export const FREIGHT_CARRIER: LiveCarrier = {
  adapter: FREIGHT,
  start: startFreight,
  credentials: { api_key: 'right' },
  codes: ['ROAD', 'AIR'],
  secret: 'api_key',
  books: 'create_booking',
  made: 'booking_created',
  collectedInMinutes: 60,
}
