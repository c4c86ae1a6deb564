import assert from 'node:assert/strict'
import test from 'node:test'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import { type OpenApiDocument, openApiDocument } from '../src/http/openapi/document.ts'
import { apiClient } from './api-client.ts'
import { generatePythonClient } from './api-client-python.ts'

const document = openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())
const { types, operations, asyncOperations } = generatePythonClient(document)

test('the Python client has the operations of the TypeScript client', () => {
  const rows = [...apiClient(document).operations.matchAll(/^ {4}\w+: '(.*)',$/gm)].map(([, row]) => row)
  const own = [...operations.matchAll(/self\._(?:run|list)\("([^"]*)"/g)].map(([, row]) => row)
  assert.ok(rows.length > 60)
  assert.deepEqual(own, rows)
})

test('the asynchronous operations differ only in what Python writes differently for asyncio', () => {
  const blocking = asyncOperations
    .replaceAll('async def', 'def')
    .replaceAll('await self.', 'self.')
    .replaceAll(/\bAsync(?=\w*(?:Pages|Resources?)\b)/g, '')
  assert.equal(blocking, operations)
  assert.match(
    asyncOperations,
    /async def create\(self, body: DeliveryRequest, .*\n.*\n {8}return await self\._run\(/,
  )
  assert.match(asyncOperations, / def list\(self, .* -> AsyncPages\[Delivery\]:/)
})

test('names are in Python’s spelling, and a word of Python’s own gets an underscore', () => {
  for (const line of [
    'class WebhookEndpointsResource(Resource):',
    'self.webhook_endpoints = WebhookEndpointsResource(run, list_pages)',
    'def rotate_secret(self, endpoint_id: str, ',
    'from_: str',
    '"from": from_',
    'def list(self, *, limit: int | None = None, ',
    '-> Pages[Delivery]:',
    '-> bytes:',
    '-> List[Manifest]:',
  ]) {
    assert.ok(operations.includes(line), line)
  }
})

test('a schema is a TypedDict, an alternative a Union, and a long list of values has a name', () => {
  for (const text of [
    'class Parcel(TypedDict):\n    reference: str\n    description: NotRequired[str]\n',
    'StaffCourierProfile(TypedDict):',
    '    last_seen_at: str | None\n',
    'SettleBookingRequest = Union["SettleBooked", "SettleNotBooked"]\n',
    '    code: ProblemCode\n',
    'ProblemCode = Literal["malformed_json", ',
    // A class could not have this member.
    'WebhookReplay = TypedDict(\n    "WebhookReplay",\n    {\n',
    '        "from": "NotRequired[str]",\n',
  ]) {
    assert.ok(types.includes(text), text)
  }
})

test('a schema that names itself is made once', () => {
  const node = {
    type: 'object',
    properties: { data: { $ref: '#/components/schemas/Node' } },
    required: ['data'],
  }
  const schemas = Object.fromEntries(
    ['Problem', 'TokenAnswer', 'Event', 'WebhookMessage', 'Node'].map((name) => [name, node]),
  )
  const made = generatePythonClient({
    ...document,
    paths: {},
    components: { schemas },
  } as unknown as OpenApiDocument)
  assert.equal(made.types.match(/class Node\(TypedDict\):\n {4}data: Node\n/g)?.length, 1)
})
