import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import type { Issue } from '../../domain/errors.ts'
import { bodyCleaner } from '../input/clean-body.ts'
import { textFields } from '../input/text-fields.ts'
import { allEndpoints } from './endpoints.ts'

/**
 * Texts that must stay unchanged: secrets, signatures, cursors, ids from programs, pictures, and the caller’s own
 * metadata.
 */
const AS_IT_IS = /[.?](?:password|new_password|token|secret|sig|exp|after|image|id)$|\.metadata\{(?:key)?\}$/

type Field = { path: string; schema: z.ZodType }

/** Every text field of a schema that is not an enum, with its path. */
function textsOf(schema: z.core.$ZodType, path: string): Field[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return textsOf(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => textsOf(field, `${path}.${name}`))
  if (schema instanceof z.ZodArray) return textsOf(schema.element as z.ZodType, `${path}[]`)
  if (schema instanceof z.ZodRecord)
    return [...textsOf(schema.keyType, `${path}{key}`), ...textsOf(schema.valueType, `${path}{}`)]
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => textsOf(option, path))
  return schema instanceof z.ZodString ? [{ path, schema }] : []
}

const fields = allEndpoints().flatMap(({ operationId, query, body }) => [
  ...(query ? textsOf(query, `${operationId}?`) : []),
  ...(body ? textsOf(body, operationId) : []),
])

test('every text field of a request has a class, or is listed as unchanged', () => {
  const without = fields.filter(({ schema }) => !textFields.get(schema)).map(({ path }) => path)
  assert.deepEqual(
    without.filter((path) => !AS_IT_IS.test(path)),
    // The account document validates `tenant_id` itself, and `callMcp` rejects unknown methods.
    ['applyAccount.tenant_id', 'simulateAccount.tenant_id', 'callMcp.method'],
  )
})

test('an invisible character is removed or rejected by name in every field of every request', () => {
  const wrong: string[] = []
  for (const { path, schema } of fields) {
    const textClass = textFields.get(schema)?.textClass
    if (!textClass) continue
    const issues: Issue[] = []
    const body = { field: 'Cafe\u0301\u200B' }
    bodyCleaner(z.object({ field: schema }), 'kept')(body, issues)
    const isRead = body.field === 'Caf\u00E9' && issues.length === 0
    const isRefused =
      body.field === 'Caf\u00E9\u200B' &&
      issues[0]?.message === 'field contains an invisible character, U+200B, at position 5. Remove it.'
    const isRefusing = ['reference', 'line', 'lines'].includes(textClass)
    if (isRefusing ? !isRefused : !isRead) wrong.push(path)
  }
  assert.deepEqual(wrong, [])
  assert.ok(fields.length > 150)
})
