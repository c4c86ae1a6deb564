import assert from 'node:assert/strict'
import { parse } from 'node:querystring'
import { test } from 'node:test'
import { z } from 'zod'
import { queryReader } from './query.ts'

const read = queryReader(z.strictObject({ q: z.string().optional(), limit: z.int().optional() }))

function fieldsOf(search: string): string[] {
  const { issues } = read({ query: parse(search), url: `/demo/deliveries%20x?${search}` })
  return issues.map(({ field }) => field)
}

test('only a value that is not percent-encoded UTF-8 is rejected, by its parameter', () => {
  const cases: [search: string, fields: string[]][] = [
    ['q=%FF', ['q']],
    ['q=%ED%A0%80', ['q']],
    ['q=%C0%AF', ['q']],
    ['q=%zz', ['q']],
    ['q=50%', ['q']],
    ['q=caf\xe9', ['q']],
    ['limit=7&q=a%FFb', ['q']],
    ['q=%00', ['q']],
    ['%71=%FF', ['q']],
    ['q=50%25&limit=7', []],
    ['q=caf%C3%A9+%F0%9F%9A%9A', []],
    ['q=', []],
    ['', []],
  ]
  for (const [search, fields] of cases) assert.deepEqual(fieldsOf(search), fields, search)
})
