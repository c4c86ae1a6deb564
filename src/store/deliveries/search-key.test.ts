import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testFixture } from '../../../test/fixture.ts'

const ALIKE = [
  ["O'Brien", 'O’Brien', 'OBrien', "o'brien", 'O`Brien'],
  ['Siobhan', 'Siobhán', 'SIOBHÁN', 'Siobha\u0301n'],
  ['Anne-Marie', 'Anne Marie', 'Anne–Marie', 'annemarie'],
  ['Łukasz Øster', 'lukasz oster'],
  ['Nguyễn', 'Nguyen', 'NGUYỄN'],
  ['WC\u200b-1', 'wc-1', 'WC 1'],
]

test('a search compares without accents, apostrophes, hyphens, case and blanks', async (t) => {
  const { deps } = await testFixture(t, { work: false })
  for (const alike of ALIKE) {
    const { rows } = await deps.db.query<{ key: string }>(
      'select distinct search_key(x) as key from unnest($1::text[]) as x',
      [alike],
    )
    assert.equal(rows.length, 1, alike[0])
  }
})
