import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { SettleBody } from '../api/deliveries/lists-schema.ts'
import { SettleManifestBody } from '../api/manifests/manifest-schema.ts'
import { makeCheck, toJsonSchema } from './validate.ts'

function reportedBy(schema: z.ZodType): (value: unknown) => string[] {
  const check = makeCheck(schema)
  return (value) => check(value).map(({ message }) => message)
}

test('a body of several shapes reports only mistakes of the shape that it declares', () => {
  const booking = reportedBy(SettleBody)
  assert.deepEqual(booking({ booked: false }), [])
  assert.deepEqual(booking({ booked: true, consignment_number: 'A1' }), [])
  assert.deepEqual(booking({ booked: true }), ['consignment_number is required.'])
  assert.deepEqual(booking({ booked: false, consignment_number: 'A1' }), [
    'consignment_number is not a field here.',
  ])
  for (const value of [{}, { consignment_number: 'A1' }]) {
    assert.deepEqual(booking(value), ['booked is required.'])
  }
  assert.deepEqual(booking({ booked: 'yes' }), ['booked must be true or false, not a string.'])
  assert.deepEqual(booking([]), ['The body must be an object, not a list.'])

  const submit = reportedBy(SettleManifestBody)
  assert.deepEqual(submit({ submitted: true, total_cost_cents: -1 }), [
    'order_id is required.',
    'total_cost_cents must be at least 0.',
  ])
  assert.deepEqual(submit({ submitted: false }), [])
})

test('a nested body and string discriminators work the same, and the documents show every shape', () => {
  const named = z.strictObject({ kind: z.literal('named'), name: z.string() }).meta({ id: 'Named' })
  const counted = z.strictObject({ kind: z.literal('counted'), count: z.int() })
  const schema = z.strictObject({ all: z.array(z.discriminatedUnion('kind', [named, counted])) })
  const report = reportedBy(schema)
  assert.deepEqual(
    report({
      all: [
        { kind: 'named', name: 'A' },
        { kind: 'counted', count: 1 },
      ],
    }),
    [],
  )
  assert.deepEqual(report({ all: [{ kind: 'named' }, { kind: 'counted', count: 1.5 }, { kind: 'other' }] }), [
    'all[0].name is required.',
    'all[1].count must be a whole number.',
    'all[2].kind must be one of named, counted.',
  ])
  assert.match(JSON.stringify(toJsonSchema(schema)), /"oneOf"/)
})

test('the first hundred mistakes are reported in order, each with its own hint', () => {
  const kind = z.enum(['carton', 'pallet'])
  const report = reportedBy(z.strictObject({ all: z.array(z.strictObject({ weight_kg: z.number(), kind })) }))
  const all = Array.from({ length: 60 }, () => ({ weight_kg: '1', kind: 'cartn', wieght_kg: 1 }))
  const sentences = all.flatMap((_, n) => [
    `all[${n}].wieght_kg is not a field here.${n < 10 ? ' Did you mean "weight_kg"?' : ''}`,
    `all[${n}].weight_kg must be a number, not a string.`,
    `all[${n}].kind must be one of carton, pallet. Did you mean "carton"?`,
  ])
  assert.deepEqual(report({ all }), sentences.slice(0, 100))
  assert.deepEqual(report({ all: all.slice(0, 33) }), sentences.slice(0, 99))
})
