import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApi } from '../../../../test/api.ts'
import { limitedToken } from '../../../../test/limited-client.ts'
import { statementsOf } from '../../../../test/statements-of.ts'

const ALLOCATE = 'POST /demo/deliveries/quote/allocation'
const flinders = { latitude: -37.8183, longitude: 144.9671 }
const FIRST_TWO = [
  {
    rank: 1,
    est_distance_km: 1,
    store_reference: 'melbourne-cbd',
    earliest_processing_datetime: '2026-11-24T10:00:00+11:00',
    earliest_RFP_datetime: '2026-11-24T10:30:00+11:00',
  },
  {
    rank: 2,
    est_distance_km: 2,
    store_reference: 'fitzroy',
    earliest_processing_datetime: '2026-11-24T10:00:00+11:00',
    earliest_RFP_datetime: '2026-11-24T10:30:00+11:00',
  },
]

/** Times to the minute, because the account's clock keeps running. */
function steady(ranks: Record<string, unknown>[]): unknown[] {
  return ranks.map(({ store_id, ...rank }) => {
    assert.match(String(store_id), /^sto_/)
    return JSON.parse(JSON.stringify(rank).replace(/(T\d\d:\d\d):\d\d/g, '$1:00'))
  })
}

const referencesIn = ({ json }: { json: { store_allocation_ranks: { store_reference: string }[] } }) =>
  json.store_allocation_ranks.map(({ store_reference }) => store_reference)

test('an allocation returns the best three stores in a bare object, or as many as requested', async (t) => {
  const { call } = await testApi(t, { work: false })
  const reply = await call(ALLOCATE, { body: { address: flinders, recommend_store_count: 2 } })
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(Object.keys(reply.json), ['store_allocation_ranks'])
  assert.deepEqual(steady(reply.json.store_allocation_ranks), FIRST_TWO)
  assert.equal((await call(ALLOCATE, { body: { address: flinders } })).json.store_allocation_ranks.length, 3)
  const all = await call(ALLOCATE, { body: { address: flinders, recommend_store_count: 1000 } })
  assert.equal(all.json.store_allocation_ranks.length, 10)
  const later = await call(ALLOCATE, {
    body: { address: flinders, store_references: ['perth-cbd'], ready_for_pickup_at: '2026-11-24T12:00' },
  })
  assert.equal(
    later.json.store_allocation_ranks[0].earliest_RFP_datetime,
    '2026-11-24T12:30:00+08:00',
    'its own noon',
  )
})

test('a strategy that ranks by distance alone returns no ready time', async (t) => {
  const { call, tokenOf } = await testApi(t, { work: false })
  const token = await tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const { json } = await call('POST /acme-byoc/deliveries/quote/allocation', {
    body: { address: flinders },
    token,
  })
  assert.deepEqual(Object.keys(json.store_allocation_ranks[0]), [
    'rank',
    'store_id',
    'store_reference',
    'est_distance_km',
    'earliest_processing_datetime',
  ])
})

test('only candidates are ranked, found by id before reference', async (t) => {
  const { call } = await testApi(t, { work: false })
  const references = ['perth-cbd', 'fitzroy', 'perth-cbd']
  const named = await call(ALLOCATE, { body: { address: flinders, store_references: references } })
  assert.deepEqual(referencesIn(named), ['fitzroy', 'perth-cbd'])
  const perth = named.json.store_allocation_ranks[1].store_id
  const byId = await call(ALLOCATE, {
    body: { address: flinders, store_ids: [perth], store_references: ['fitzroy'] },
  })
  assert.deepEqual(referencesIn(byId), ['perth-cbd'])
})

test('every mistake is reported by its field in one response', async (t) => {
  const { call } = await testApi(t, { work: false })
  const address = flinders
  const cases: [string, object, [field: string, issue: string][]][] = [
    ['nothing', {}, [['address', 'required']]],
    [
      'no numbers',
      { address: {} },
      [
        ['address.latitude', 'required'],
        ['address.longitude', 'required'],
      ],
    ],
    [
      'off the Earth',
      { address: { latitude: -90.1, longitude: 180.1 } },
      [
        ['address.longitude', 'out_of_range'],
        ['address.latitude', 'out_of_range'],
      ],
    ],
    [
      'no sign',
      { address: { latitude: 37.8183, longitude: 144.9671 } },
      [['address.latitude', 'out_of_range']],
    ],
    [
      'swapped',
      { address: { latitude: 144.9671, longitude: -37.8183 } },
      [['address.latitude', 'out_of_range']],
    ],
    ['nowhere', { address: { latitude: 0, longitude: 0 } }, [['address.latitude', 'out_of_range']]],
    ['text', { address: { latitude: '-37.8', longitude: 144 } }, [['address.latitude', 'invalid_type']]],
    [
      'unknown candidates',
      { address, store_references: ['fitzroy', 'fitzroi'] },
      [['store_references[1]', 'unknown_store']],
    ],
    [
      'unknown ids',
      { address, store_ids: ['sto_x', 'sto_y'] },
      [
        ['store_ids[0]', 'unknown_store'],
        ['store_ids[1]', 'unknown_store'],
      ],
    ],
    [
      'both kinds',
      { address: { latitude: 99, longitude: 0 }, store_ids: ['sto_x', 5] },
      [
        ['store_ids[1]', 'invalid_type'],
        ['address.latitude', 'out_of_range'],
        ['store_ids[0]', 'unknown_store'],
      ],
    ],
    ['no candidates', { address, store_ids: [] }, [['store_ids', 'too_short']]],
    ['counts', { address, recommend_store_count: 0 }, [['recommend_store_count', 'out_of_range']]],
    ['halves', { address, recommend_store_count: 1.5 }, [['recommend_store_count', 'invalid_value']]],
    ['too many', { address, recommend_store_count: 1001 }, [['recommend_store_count', 'out_of_range']]],
    ['a slip', { address, recommend_store_cout: 3 }, [['recommend_store_cout', 'unknown_field']]],
    ['a street', { address: { ...address, city: 'Carlton' } }, [['address.city', 'unknown_field']]],
    ['not a time', { address, ready_for_pickup_at: 'soon' }, [['ready_for_pickup_at', 'invalid_value']]],
    [
      'past the calendar',
      { address, ready_for_pickup_at: '2031-01-05T10:00:00Z' },
      [['ready_for_pickup_at', 'out_of_range']],
    ],
  ]
  for (const use_async of [false, true]) {
    for (const [name, body, expected] of cases) {
      const reply = await call(ALLOCATE, { body: { ...body, use_async } })
      assert.equal(reply.status, 422, name)
      const reported = reply.json.errors.map(({ field, issue }: Record<string, string>) => [field, issue])
      assert.deepEqual(reported, expected, name)
    }
  }
})

test('coordinates outside Australia are refused with the likely slip', async (t) => {
  const { call } = await testApi(t, { work: false })
  const cases: [number, number, RegExp][] = [
    [144.9671, -37.8183, /: latitude and longitude are swapped\.$/],
    [
      144.9671,
      37.8183,
      /: latitude and longitude are swapped, and southern latitudes are negative: -37\.8183/,
    ],
    [37.8183, 144.9671, /: southern latitudes are negative: -37\.8183\.$/],
    [0, 0, /: 0, 0 is what a failed look-up gives/],
  ]
  for (const [latitude, longitude, message] of cases) {
    const reply = await call(ALLOCATE, { body: { address: { latitude, longitude } } })
    assert.equal(reply.status, 422, reply.text)
    assert.match(reply.json.errors[0].message, message)
  }
})

test('a client limited to some stores ranks only those, and other stores do not exist for it', async (t) => {
  const api = await testApi(t, { work: false })
  const { call } = api
  const token = await limitedToken(api, ['perth-cbd', 'fitzroy'])
  assert.deepEqual(referencesIn(await call(ALLOCATE, { body: { address: flinders }, token })), [
    'fitzroy',
    'perth-cbd',
  ])
  const hidden = await call(ALLOCATE, {
    body: { address: flinders, store_references: ['fitzroy', 'sydney-cbd'] },
    token,
  })
  assert.equal(hidden.status, 404)
  assert.match(hidden.json.detail, /sydney-cbd/)
})

test('a synchronous allocation sends no query to the database', async (t) => {
  const api = await testApi(t, { work: false })
  const bodies = [{ address: flinders }, { address: flinders, store_references: ['fitzroy'] }]
  for (const body of bodies) {
    const ask = async () => assert.equal((await api.call(ALLOCATE, { body })).status, 200)
    assert.deepEqual(await statementsOf(api, ask), {})
  }
})
