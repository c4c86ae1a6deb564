import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { allEndpoints } from '../../src/http/api/endpoints.ts'
import { readResponseExamples } from '../../src/http/examples/response-examples.ts'
import { testApi } from '../../test/api.ts'
import { responseValidator } from './response-validator.ts'

/** Operations without an example of their JSON, though the demo answers them with success. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {
  getOpenApi: 'the document has every example',
  getOpenApi30: 'the document has every example',
  getAccountOpenApi: 'the document has every example',
}
const MAX_BYTES = 4_200

const responses = readResponseExamples('http://x')

test('each operation with a JSON response has a recorded one, unless the demo refuses its example', () => {
  const answered = allEndpoints().filter(
    ({ answers, exampleCall }) =>
      !exampleCall?.status &&
      Object.entries(answers).some(([status, { schema }]) => Number(status) < 300 && schema),
  )
  const missing = answered
    .map(({ operationId }) => operationId)
    .filter((operationId) => responses.get(operationId)?.body === undefined)
  assert.deepEqual(
    missing.toSorted(),
    Object.keys(WITHOUT_EXAMPLE).toSorted(),
    'run scripts/record-responses.ts',
  )
  assert.ok(answered.length > 90)
})

test('every recorded response is of an operation, is short, and is valid by its schema', () => {
  const operations = new Set(allEndpoints().map(({ operationId }) => operationId))
  for (const [operationId, { status, body, media, size }] of responses) {
    assert.ok(operations.has(operationId), operationId)
    if (body === undefined) assert.ok(media && size, operationId)
    else {
      assert.ok(responseValidator(operationId, status)(body), `${operationId}: ${JSON.stringify(body)}`)
      assert.ok(JSON.stringify(body).length <= MAX_BYTES, operationId)
    }
  }
})

test('the reference shows each recorded response: on its page, as Markdown and in the document', async (t: TestContext) => {
  const { call } = await testApi(t, { work: false })
  const read = async (path: string) => call(`GET ${path}`, { token: null })
  const page = (await read('/docs')).text
  const shown = [...page.matchAll(/<code data-response="(\w+)">/g)].map(([, operationId]) => operationId)
  const recorded = [...responses].filter(([, { body }]) => body !== undefined)
  assert.deepEqual(shown.toSorted(), recorded.map(([operationId]) => operationId).toSorted())
  assert.match(page, /<details><summary[^>]*>201, recorded in the demo\. \d+ lines\.<\/summary>/)
  assert.doesNotMatch(page, /<details open/)
  assert.match(
    page,
    /<h4>Its response<\/h4><p class="dim">200, <code>application&#47;pdf|<code>application\/pdf<\/code>, 10 to 100 kB\./,
  )

  const { text } = await read('/docs/operations/createDelivery.md')
  const [, json = ''] =
    /Its response: 201, recorded in the demo\.\n\n```json\n([\s\S]*?)\n```/.exec(text) ?? []
  const { paths, servers } = (await read('/openapi.json')).json
  const { example } = paths['/{tenant_id}/deliveries'].post.responses[201].content['application/json']
  assert.deepEqual(JSON.parse(json), example)
  assert.ok(example.data.tracking_url.startsWith(`${servers[0].url}/track/`), example.data.tracking_url)
})
