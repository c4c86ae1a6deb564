import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson, readLargeJson } from './json-body.ts'

const LIMIT = { bytes: 1_000_000, values: 100_000 }
const large = (item: string) => Buffer.from(`{"items":[${Array(20_000).fill(item).join(',')}]}`)

for (const [what, body] of Object.entries({
  'a good body': large('{"reference":"WC-1"}'),
  'a body with a forbidden key and a NUL': Buffer.from(
    `{"__proto__":1,"a":"\\u0000","items":${JSON.stringify(Array(50_000).fill('x'))}}`,
  ),
})) {
  test(`${what} is read in steps with the same result and issues as at once`, async () => {
    const [inSteps, atOnce] = [await readLargeJson(body, LIMIT), readJson(body, LIMIT)]
    assert.equal(JSON.stringify(inSteps), JSON.stringify(atOnce))
  })
}

for (const [what, body] of Object.entries({
  'cut off': large('1').subarray(0, 30_000),
  'not UTF-8': Buffer.concat([large('1'), Buffer.from([0xff])]),
  'of too many values': large('[1,2,3,4,5,6,7]'),
  'nested too deeply': large(`${'['.repeat(40)}${']'.repeat(40)}`),
})) {
  test(`a large body that is ${what} is rejected with the same message as a small one`, async () => {
    const atOnce = (): string => {
      try {
        readJson(body, LIMIT)
      } catch (error) {
        return (error as Error).message
      }
      throw new Error('It was read.')
    }
    await assert.rejects(readLargeJson(body, LIMIT), { message: atOnce() })
  })
}

test('other requests are served while a large body is read', async () => {
  const body = Buffer.from(
    JSON.stringify(Array.from({ length: 60_000 }, (_, n) => `value ${n} of a long list`)),
  )
  let turns = 0
  let isReading = true
  const countTurn = (): void => {
    turns++
    if (isReading) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  await readLargeJson(body, LIMIT)
  isReading = false
  assert.ok(turns >= 20, `${turns} turns for ${body.length} bytes`)
})
