import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { consignment } from '../../../test/sandbox-carriers.ts'
import type { Outcome } from '../port/carrier.ts'
import type { CarrierResponse } from '../port/send.ts'
import { parseBooking as aramex } from './aramex-au/parse.ts'
import { parseCreated as auspost, parseOrder as auspostOrder } from './auspost/parse.ts'
import { parseBooking as bigHaul, parseManifest as bigHaulManifest } from './big-haul/parse.ts'
import { parseBooking as doordash } from './doordash/parse.ts'
import { parseBooking as southern, parseOrder as southernOrder } from './southern-parcels/parse.ts'
import { parseBooking as swiftly } from './swiftly/parse.ts'
import { parseBooking as uber } from './uber-direct/parse.ts'

type Adapter = {
  create(response: CarrierResponse): Outcome<unknown>
  /** An error in the carrier's own format. */
  error(code: string, message: string): object
  /** A code that it documents, and one of its errors that names a field. */
  documented: string
  ofField?: object
}

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  swiftly: {
    create: swiftly,
    error: (code, message) => ({ error: { code, message } }),
    documented: 'no_driver',
  },
  southern_parcels: {
    create: (response) => southern(response),
    error: (code, message) => ({ errors: [{ code, message }] }),
    documented: '51101',
  },
  big_haul: {
    create: bigHaul,
    error: (Reason, Message) => ({ Result: 'FAIL', Reason, Message }),
    documented: 'OVER_CAPACITY',
  },
  auspost: {
    create: (response) => auspost(response, consignment, 1),
    error: (code, message) => ({ errors: [{ code, message }] }),
    documented: '42010',
    ofField: { errors: [{ code: '99999', message: 'Timed out.', field: 'shipments[0].to.suburb' }] },
  },
  aramex_au: {
    create: (response) => aramex(response, consignment),
    error: (code, message) => ({ errors: [{ code, message }] }),
    documented: 'PSC_NF',
  },
  'southern_parcels manifest': {
    create: southernOrder,
    error: (code, message) => ({ errors: [{ code, message }] }),
    documented: '44016',
  },
  'big_haul manifest': {
    create: bigHaulManifest,
    error: (Reason, Message) => ({ Result: 'FAIL', Reason, Message }),
    documented: 'UNKNOWN_CONNOTE',
  },
  'auspost manifest': {
    create: auspostOrder,
    error: (code, message) => ({ errors: [{ code, message }] }),
    documented: '44031',
  },
  uber_direct: {
    create: (response) => uber(response, consignment),
    error: (code, message) => ({ code, message, kind: 'error' }),
    documented: 'address_undeliverable',
  },
  doordash: {
    create: (response) => doordash(response, consignment),
    error: (code, message) => ({ code, message }),
    documented: 'distance_too_long',
    ofField: {
      message: 'One error.',
      field_errors: [{ field: 'dropoff_phone_number', error: 'Timed out.' }],
    },
  },
}

/** 401: the carrier did not let us in. 408 and 429 have meanings of their own. */
const REFUSED_WITH = [400, 402, 403, 404, 406, 409, 410, 412, 418, 422, 423, 424, 451, 499]

const MESSAGES = [
  'timeout of 30000ms exceeded',
  'ETIMEDOUT',
  'Booking is unavailable. Please try again later.',
  'An error has occurred.',
  'Server busy',
  'SQL error',
  'UNAVAILABLE',
  'INTERNAL',
  'ABORTED',
  'Sorry.',
  '',
]

for (const [name, { create, error, documented, ofField }] of Object.entries(ADAPTERS)) {
  const read = (status: number, body: unknown) => create({ kind: 'answered', status, body })

  test(`${name}: an undocumented error to a create leaves the outcome unknown, whatever its message`, () => {
    for (const status of REFUSED_WITH)
      for (const message of MESSAGES)
        for (const code of ['E-4711', message || 'E-1']) {
          const outcome = read(status, error(code, message))
          assert.equal(outcome.kind, 'unknown', `${status} ${code}: ${message}`)
          assert.ok(outcome.kind === 'unknown' && outcome.ifRepeated, 'it says what a second refusal means')
        }
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z_ -]{2,30}[a-z]$/).map((text) => `x${text}`)
    fc.assert(
      fc.property(fc.constantFrom(...REFUSED_WITH), word, fc.string(), (status, code, message) => {
        assert.equal(read(status, error(code, message)).kind, 'unknown')
      }),
      { numRuns: 200 },
    )
  })

  test(`${name}: a documented code or a named field is final, whatever its message`, () => {
    for (const message of MESSAGES) {
      assert.equal(read(422, error(documented, message)).kind, 'no', message)
    }
    if (ofField) assert.equal(read(422, ofField).kind, 'no')
    assert.equal(read(401, error('E-4711', 'Timed out.')).kind, 'no', 'the carrier did not let us in')
  })

  test(`${name}: a documented error beside an undocumented one leaves the outcome unknown`, () => {
    const body = error(documented, 'No.') as { errors?: object[] }
    const other = error('E-4711', 'Sorry.') as { errors?: object[] }
    if (!body.errors || !other.errors) return
    assert.equal(read(422, { errors: [...body.errors, ...other.errors] }).kind, 'unknown')
  })
}
