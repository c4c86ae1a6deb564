import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { openApiMistakes } from '../../../scripts/lint-openapi.ts'
import { deliveryBody, testApi } from '../../../test/api.ts'
import { EVENT_TYPES } from '../../domain/webhooks/event-types.ts'
import { allEndpoints } from '../api/endpoints.ts'
import { parseKey } from '../idempotency/idempotency.ts'
import { accountDocument } from './account-document.ts'
import { type OpenApiDocument, openApiDocument } from './document.ts'
import { toOpenApi30, toSchema30 } from './openapi-3.0.ts'
import { publishedDocument } from './published.ts'

const original = openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())
const published = JSON.parse(JSON.stringify(publishedDocument(original)))

/** Every object in a value, with the key under which it stands. */
function* objectsIn(value: unknown, under = ''): Generator<[under: string, found: Record<string, unknown>]> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield [under, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, key)
}

test('the published document is OpenAPI 3.1, and every webhook is found by its reference', async () => {
  assert.deepEqual(await openApiMistakes(published as OpenApiDocument), [])
  assert.deepEqual(Object.keys(published.webhooks), EVENT_TYPES)
  for (const [type, { $ref }] of Object.entries<{ $ref: string }>(published.webhooks)) {
    assert.equal($ref, `#/components/pathItems/${type}`)
    assert.deepEqual(
      published.components.pathItems[type],
      JSON.parse(JSON.stringify(original.webhooks[type])),
    )
  }
})

test('no text of the document contains a byte order mark, which Go programs cannot contain', () => {
  assert.ok(!JSON.stringify(published).includes('\uFEFF'))
})

test('no schema has the name of a constructor or of a nullable type that Go derives from another', () => {
  const names = Object.keys(published.components.schemas)
  assert.ok(names.length > 100)
  const derived = new Set(
    names.flatMap((name) => [`New${name}`, `New${name}WithDefaults`, `Nullable${name}`]),
  )
  assert.deepEqual(
    names.filter((name) => derived.has(name)),
    [],
  )
})

test('null is listed among the types, and no boolean has a const or an enum', () => {
  let nullable = 0
  let excluded = 0
  for (const [under, schema] of objectsIn(published.components.schemas)) {
    if (Array.isArray(schema.type)) nullable += 1
    if (typeof (schema.not as { const?: unknown } | undefined)?.const === 'boolean') excluded += 1
    if (under !== 'not') assert.notEqual(typeof schema.const, 'boolean')
    if (Array.isArray(schema.enum)) assert.ok(schema.enum.every((value) => typeof value !== 'boolean'))
    if (!Array.isArray(schema.anyOf)) continue
    const choices = schema.anyOf as Record<string, unknown>[]
    if (choices.some(({ type }) => type === 'null'))
      assert.ok(choices.every((one) => one.$ref || one.type === 'null'))
  }
  assert.ok(nullable > 30)
  assert.ok(excluded > 8)
})

test('the 3.0 document is OpenAPI 3.0 with the same operations, and no keyword of 3.1', async () => {
  const older = JSON.parse(JSON.stringify(toOpenApi30(published)))
  const { valid, errors } = await new Validator().validate(structuredClone(older))
  assert.ok(valid, JSON.stringify(errors))
  assert.match(older.openapi, /^3\.0\./)
  assert.deepEqual(Object.keys(older.paths), Object.keys(published.paths))
  assert.deepEqual(Object.keys(older.components.schemas), Object.keys(published.components.schemas))
  assert.equal(older.webhooks, undefined)
  for (const [under, schema] of objectsIn({ ...older.components.schemas, paths: older.paths })) {
    if (under === 'properties' || under === 'example') continue
    assert.ok(!Array.isArray(schema.type) && schema.type !== 'null', under)
    for (const keyword of ['const', 'propertyNames', 'examples'])
      assert.ok(!(keyword in schema), `${under} ${keyword}`)
    assert.notEqual(typeof schema.exclusiveMinimum, 'number', under)
    if ('nullable' in schema && !schema.allOf && !schema.anyOf)
      assert.equal(typeof schema.type, 'string', under)
    if ('$ref' in schema) assert.deepEqual(Object.keys(schema), ['$ref'], under)
  }
})

test('a schema means the same in 3.0', () => {
  const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['null', { type: ['string', 'null'], maxLength: 3 }, { type: 'string', maxLength: 3, nullable: true }],
    ['two types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    [
      'a choice',
      { anyOf: [{ $ref: '#/x' }, { type: 'null' }] },
      { allOf: [{ $ref: '#/x' }], nullable: true },
    ],
    ['a constant', { type: 'string', const: 'AUD' }, { type: 'string', enum: ['AUD'] }],
    [
      'over 0',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    ['an example', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    ['beside a reference', { $ref: '#/x', description: 'd' }, { allOf: [{ $ref: '#/x' }], description: 'd' }],
    [
      'fields that are called like keywords',
      { type: 'object', properties: { const: { type: ['integer', 'null'] }, type: { const: 1 } } },
      { type: 'object', properties: { const: { type: 'integer', nullable: true }, type: { enum: [1] } } },
    ],
  ]
  for (const [name, schema, expected] of cases) assert.deepEqual(toSchema30(schema), expected, name)
})

test('an account’s document can authorise: its server, its token URL and every scope in use', async () => {
  const document = JSON.parse(JSON.stringify(accountDocument(published, 'acme')))
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  assert.ok(valid, JSON.stringify(errors))
  assert.deepEqual(document.servers, [{ url: 'http://x/acme' }])
  const { token, ...others } = document.components.securitySchemes
  assert.deepEqual(others, {})
  assert.equal(published.components.securitySchemes.signature, undefined)
  assert.equal(token.type, 'oauth2')
  const { tokenUrl, scopes } = token.flows.clientCredentials
  assert.equal(tokenUrl, 'http://x/acme/auth/token')
  assert.ok(document.paths['/auth/token'].post)
  assert.ok(document.paths['/deliveries'].post)
  for (const [, { name, parameters }] of objectsIn(document.paths)) {
    assert.notEqual(name, 'tenant_id')
    assert.ok(!parameters || !('tenant_id' in (parameters as object)))
  }
  const neededScopes = new Set<string>()
  for (const [, { security }] of objectsIn(document.paths)) {
    for (const one of (security ?? []) as Record<string, string[]>[])
      for (const scope of one.token ?? []) neededScopes.add(scope)
  }
  assert.ok(neededScopes.size > 5)
  for (const scope of neededScopes) assert.ok(scopes[scope], scope)
})

test('the three documents are served, and an account’s does not reveal whether the account exists', async (t) => {
  const { app, call } = await testApi(t, { work: false })
  assert.equal((await call('GET /openapi.json', { token: null })).json.openapi, '3.1.0')
  assert.equal((await call('GET /openapi-3.0.json', { token: null })).json.openapi, '3.0.3')
  const [demo, unknown] = await Promise.all(
    ['demo', 'nobody'].map((id) => call(`GET /${id}/openapi.json`, { token: null })),
  )
  assert.match(demo?.json.servers[0].url, /\/demo$/)
  assert.equal(demo?.text.replaceAll('/demo', '/nobody'), unknown?.text.replaceAll('/demo', '/nobody'))
  for (const odd of ['De%22mo', 'a'.repeat(64), '-', '%24%26'])
    assert.equal((await call(`GET /${odd}/openapi.json`, { token: null })).status, 404, odd)
  const headers = { 'accept-encoding': 'gzip' }
  const packed = await app.inject({ method: 'GET', url: '/demo/openapi.json', headers })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(packed.rawPayload).toString(), demo?.text)
})

test('the pattern of Idempotency-Key accepts the keys that the server accepts', () => {
  const { parameters } = published.paths['/{tenant_id}/deliveries'].post
  const { schema } = parameters.find((one: { name: string }) => one.name === 'Idempotency-Key')
  const pattern = new RegExp(schema.pattern)
  const isAccepted = (key: string): boolean => {
    try {
      return parseKey(key) !== ''
    } catch {
      return false
    }
  }
  const part = fc.string({ unit: fc.constantFrom('"', 'a', ' ', '~', 'é', '\t'), maxLength: 6 })
  const long = fc.integer({ min: 250, max: 260 }).map((length) => 'k'.repeat(length))
  const key = fc
    .tuple(fc.constantFrom('', '"'), fc.oneof(part, long), fc.constantFrom('', '"'))
    .map((all) => all.join(''))
  fc.assert(
    fc.property(key, (text) => assert.equal(pattern.test(text), isAccepted(text), JSON.stringify(text))),
    { numRuns: 2_000 },
  )
})

test('a file is sent as octets to a client that accepts only these', async (t) => {
  const { call } = await testApi(t)
  const label = published.paths['/{tenant_id}/deliveries/{delivery_id_or_reference}/label'].get.responses[200]
  assert.deepEqual(Object.keys(label.content), ['application/pdf', 'application/octet-stream', 'text/plain'])
  assert.deepEqual(label.content['text/plain'].schema, { type: 'string' })
  const created = await call('POST /demo/deliveries', { body: deliveryBody({ book_delivery_now: true }) })
  const line = `GET /demo/deliveries/${created.json.data.id}/label`
  for (const [accept, type] of [
    ['application/octet-stream', 'application/octet-stream'],
    ['application/pdf, application/octet-stream', 'application/pdf'],
    ['*/*', 'application/pdf'],
  ] as const) {
    const { headers, text } = await call(line, { headers: { accept } })
    assert.deepEqual([headers['content-type'], text.slice(0, 4)], [type, '%PDF'])
  }
  const none = await call('GET /demo/deliveries/none/label', {
    headers: { accept: 'application/octet-stream' },
  })
  assert.match(String(none.headers['content-type']), /^application[/]problem[+]json/)
})

test('an optional body that is null counts as absent', async (t) => {
  const { call } = await testApi(t, { work: false })
  const headers = { 'content-type': 'application/json' }
  const created = await call('POST /demo/deliveries', { body: deliveryBody() })
  const line = `PATCH /demo/deliveries/${created.json.data.id}/request-cancel`
  assert.equal((await call(line, { payload: 'null', headers })).status, 200)
  assert.equal((await call('POST /demo/deliveries', { payload: 'null', headers })).status, 422)
})
