import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, apiWithPeople, CLERK, person } from '../../../../test/people.ts'

const LINE = 'POST /admin/accounts/demo/rate-card'
const LIST =
  'kind,zone,postcodes,up_to_kg,price\nzone,metro,3000-3207,,\nrate,metro,,5,9.50\nrate,metro,,25,14.50\n'

test('a price list is read without a change, with what three consignments cost', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const clerk = await person(api, CLERK)
  const read = (query: string, body: string | Buffer, by = admin) =>
    by.call(`${LINE}?${query}`, { body, headers: { 'content-type': 'text/csv' } })

  const { status, json } = await read('provider=swiftly&service=NOW', LIST)
  assert.equal(status, 200, JSON.stringify(json))
  assert.deepEqual(json.data.rate_card.zones, { metro: ['3000-3207'] })
  assert.deepEqual(
    json.data.samples.map((one: { weight_kg: number; before_cents: null; after_cents: number }) => [
      one.weight_kg,
      one.before_cents,
      one.after_cents,
    ]),
    [
      [1, null, 950],
      [5, null, 950],
      [20, null, 1450],
    ],
  )
  assert.equal((await admin.call('GET /admin/accounts/demo/versions')).json.data.length, 1)

  const wrong = await read('provider=swiftly&service=NOW', LIST.replace('9.50', 'dear').replace('14.50', 'x'))
  assert.deepEqual([wrong.status, wrong.json.code], [422, 'invalid_request'])
  assert.deepEqual(
    wrong.json.errors.map(({ field }: { field: string }) => field),
    ['row 3, price', 'row 4, price'],
  )
  for (const [query, body, expected] of [
    ['provider=nobody&service=NOW', LIST, 404],
    ['provider=swiftly', LIST, 422],
    ['provider=swiftly&service=NOW', '', 422],
    ['provider=swiftly&service=NOW', 'PK\u0003\u0004 not a workbook', 422],
  ] as const) {
    assert.equal((await read(query, body)).status, expected, `${query} ${body.slice(0, 12)}`)
  }
  assert.equal((await read('provider=swiftly&service=NOW', LIST, clerk)).status, 403)
})
