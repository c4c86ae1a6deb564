import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { present } from './present.ts'
import { type JsonSchema, shareParts, toPresentedSchema } from './presented-schema.ts'

const WHOLE = { depth: 9, isBrief: false }
const customers = { hasCustomers: true }
const ajv = new Ajv2020({ allowUnionTypes: true, validateSchema: false })

/** The schema of exactly this value. */
function describeValue(value: unknown): JsonSchema {
  if (Array.isArray(value)) return { type: 'array', items: { anyOf: value.map(describeValue) } }
  if (typeof value !== 'object' || value === null) return { type: value === null ? 'null' : typeof value }
  const fields = Object.entries(value).map(([name, inner]) => [name, describeValue(inner)])
  return { type: 'object', properties: Object.fromEntries(fields), required: Object.keys(value) }
}

function isDescribed(schema: JsonSchema, value: unknown): boolean {
  return ajv.validate(schema, value)
}

test('whatever an answer has, its schema describes what an assistant sees of it', () => {
  const name = fc.constantFrom(
    ...['id', 'reference', 'status', 'note', 'name', 'phone', 'detail', 'source', 'message', 'metadata'],
    ...['address', 'lat', 'delivery_pin', 'article_ids', 'kind', 'to_datetime', 'constructor'],
  )
  const text = fc.constantFrom('WC-10471', 'carrier', 'two words', '', '2026-11-24T16:00:00+11:00')
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(name, tree), fc.boolean(), fc.boolean(), (answer, hasCustomers, included) => {
      const presentation = { hasCustomers, ours: ['name'] }
      const schema = shareParts(toPresentedSchema(describeValue(answer), presentation, WHOLE))
      const shown = present(answer, { ...presentation, includePersonalData: included })
      assert.ok(isDescribed(schema, shown), JSON.stringify({ answer, shown, schema }))
    }),
    { numRuns: 150 },
  )
})

test('the schema tells plain, wrapped, masked and hidden fields apart', () => {
  const answer = {
    ...{ status: 'booked', note: 'Ring twice.', first_name: 'Ada', reference: 'WC-1', kind: 'late' },
    delivery_pin: '4711',
  }
  const { properties } = toPresentedSchema(describeValue(answer), customers, WHOLE) as {
    properties: Record<string, JsonSchema>
  }
  const accepts = (name: string, value: unknown) => isDescribed(properties[name] ?? {}, value)
  const wrapped = { untrusted_text: 'x' }
  const seen = ['status', 'note', 'first_name', 'reference', 'kind'].map((name) => [
    name,
    ...[accepts(name, 'x'), accepts(name, wrapped), accepts(name, 'masked')],
  ])
  assert.deepEqual(seen, [
    ['status', true, true, true],
    ['note', false, true, false],
    ['first_name', false, true, true],
    ['reference', true, true, true],
    ['kind', true, false, true],
  ])
  assert.ok(!('delivery_pin' in properties))
})

test('a nullable field stays nullable and keeps its enum values', () => {
  const nullable = { type: ['string', 'null'], enum: ['booked', 'on_hold', null] }
  const schema = toPresentedSchema({ type: 'object', properties: { status: nullable } }, customers, WHOLE)
  for (const status of ['booked', null]) assert.ok(isDescribed(schema, { status }))
  for (const status of ['other', 1]) assert.ok(!isDescribed(schema, { status }))
})

test('a part that occurs twice is written once', () => {
  const part = { type: 'object', properties: { id: { type: 'string' } } }
  const shared = shareParts({ type: 'object', properties: { a: part, b: part } })
  assert.deepEqual(shared, {
    type: 'object',
    properties: { a: { $ref: '#/$defs/p0' }, b: { $ref: '#/$defs/p0' } },
    $defs: { p0: part },
  })
})
