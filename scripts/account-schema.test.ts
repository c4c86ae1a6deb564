import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { accountSchemaText } from './account-schema.ts'

const example = (name: string) => readFileSync(new URL(`../examples/${name}`, import.meta.url), 'utf8')

test('the published schema matches the code (if not: node scripts/build-account-schema.ts)', () => {
  assert.equal(example('account.schema.json'), accountSchemaText())
})

test('the examples match the published schema, and a misspelt one does not', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(accountSchemaText()))
  for (const name of ['demo-account.yaml', 'acme-byoc.yaml']) {
    const document: object = parse(example(name), { merge: true })
    assert.ok(validate(document), `${name}: ${JSON.stringify(validate.errors)}`)
    assert.equal(validate({ ...document, stroes: [] }), false)
  }
})

test('every field of the published schema has a description', () => {
  const { definitions, ...root } = JSON.parse(accountSchemaText())
  const unexplained: string[] = []
  const visit = (node: Record<string, unknown>, path: string) => {
    for (const [name, field] of Object.entries(
      (node.properties ?? {}) as Record<string, Record<string, unknown>>,
    )) {
      const explained = 'description' in field || '$ref' in field || 'allOf' in field || path === 'hours'
      if (!explained) unexplained.push(`${path}.${name}`)
      visit(field, `${path}.${name}`)
    }
  }
  visit(root, 'account')
  for (const [name, definition] of Object.entries(definitions as Record<string, Record<string, unknown>>))
    visit(definition, name)
  assert.deepEqual(unexplained, [])
})
