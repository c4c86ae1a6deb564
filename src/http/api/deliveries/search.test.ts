import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customer, deliveryBody, testApi } from '../../../../test/api.ts'

test('search finds a name whatever its accents, apostrophes and hyphens', async (t) => {
  const { call } = await testApi(t, { work: false })
  const names = [
    ['S-1', 'Siobhán', 'O’Brien'],
    ['S-2', 'Anne-Marie', 'Nguyễn'],
    ['S-3', '小龍', '李'],
  ]
  for (const [reference, first_name, last_name] of names) {
    const body = deliveryBody({ reference, customer: { ...customer, first_name, last_name } })
    assert.equal((await call('POST /demo/deliveries', { body })).status, 201)
  }
  const found = async (q: string) => {
    const { json } = await call(`GET /demo/deliveries?q=${encodeURIComponent(q)}`)
    return json.data.map(({ reference }: { reference: string }) => reference)
  }
  for (const q of ["O'Brien", 'obrien', 'Siobhan', 'siobhan o’brien', 'SIOBHA\u0301N'])
    assert.deepEqual(await found(q), ['S-1'], q)
  for (const q of ['anne marie', 'Annemarie', 'nguyen', 'NGUYỄN'])
    assert.deepEqual(await found(q), ['S-2'], q)
  assert.deepEqual(await found('小龍'), ['S-3'])
  assert.deepEqual(await found("'-'"), [], 'a search of only punctuation finds nothing')
  assert.deepEqual(await found('%'), [])
})
