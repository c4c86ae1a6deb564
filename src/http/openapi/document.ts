import { Problem } from '../api/tracking/problem-schema.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { readResponseExamples } from '../examples/response-examples.ts'
import { Components, type JsonSchema } from './components.ts'
import { toOperation } from './operation.ts'
import { toWebhooks } from './webhooks.ts'

export type OpenApiDocument = {
  openapi: string
  info: JsonSchema
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, JsonSchema>>
  webhooks: Record<string, { post: JsonSchema }>
  components: JsonSchema
}

/**
 * The OpenAPI 3.1 document, made from the table that also serves: an endpoint outside the table is neither served nor
 * described.
 */
export function openApiDocument(
  { version, publicUrl }: { version: string; publicUrl: string },
  endpoints: readonly Endpoint[],
): OpenApiDocument {
  const components = new Components()
  const responses = readResponseExamples(publicUrl)
  const paths: OpenApiDocument['paths'] = {}
  components.use(Problem)
  for (const endpoint of endpoints) {
    const path = endpoint.url.replace(/:([a-z_]+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: toOperation(endpoint, components, responses.get(endpoint.operationId)),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Drover',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: TAGS,
    paths,
    webhooks: toWebhooks(components),
    components: { schemas: components.schemas, securitySchemes: SECURITY_SCHEMES, headers: HEADERS },
  }
}

const INTRODUCTION = `Delivery orchestration for merchants with stores: quote, book, label and track deliveries.

The path of every account endpoint begins with the account’s id, \`{tenant_id}\`. Bodies are JSON in UTF-8. Each operation states the maximum size of its body: 16 KiB, up to 1 MiB if it accepts a list, 7 MiB with a driver’s photo. A request counts once against the rate limit, plus once for each full 16 KiB of its body. A request that Drover rejects because its texts are too long for a label counts as 60 more requests. Money is in whole cents, always AUD. Times are ISO 8601. A time without an offset is the store’s local time. Drover rejects unknown fields and names the nearest known field. In quotes, availability, deliveries and booking links, an optional field that is \`""\`, only blanks or \`null\` counts as absent; in an amend, empty instructions, an empty delivery type and an empty list of items remove what was there. Invisible characters are dropped from phone numbers, email addresses and codes; in references and in text for people they are rejected with their position.

Errors are RFC 9457 problems with a stable \`code\`. \`errors\` lists every invalid field at once. An unsupported method returns 405, and \`Allow\` lists the supported methods. OPTIONS returns the same \`Allow\` and needs no token. POST and PATCH accept an \`Idempotency-Key\`: for 72 hours, a request with the same key and body receives the first response again, byte for byte.`

const TAGS = [
  { name: 'Tokens', description: 'OAuth 2.0 client credentials.' },
  { name: 'People', description: 'Login, the users of an account, and the audit log.' },
  { name: 'Deliveries', description: 'Create, read, book, amend, cancel and track deliveries.' },
  { name: 'Quotes', description: 'Prices and delivery windows before booking.' },
  {
    name: 'Manifests',
    description: 'Deliveries that are handed over together, as one order with their carrier.',
  },
  {
    name: 'Documents',
    description: 'Labels, dangerous goods declarations, proofs of delivery and order summaries.',
  },
  { name: 'Stores', description: 'Stores, their opening hours and closures.' },
  {
    name: 'Own network',
    description: 'The stores’ own couriers, and the endpoints of their driver app.',
  },
  { name: 'Events', description: 'Events of the account, to poll or to receive by webhook.' },
  { name: 'Webhooks', description: 'Events that Drover posts to an account’s endpoints.' },
  {
    name: 'Messages',
    description: 'The outbox of SMS messages and emails: which were sent, which were not, and why.',
  },
  { name: 'Links', description: 'Links with which customers book their own delivery.' },
  { name: 'Tracking', description: 'The public tracking page of a delivery.' },
  { name: 'Carriers', description: 'The account’s carriers, and the webhooks that carriers call.' },
  { name: 'Accounts', description: 'For operators: account documents, API clients and test clocks.' },
  { name: 'Service', description: 'Health checks, metrics and this document.' },
]

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A bearer token of one account from `POST /{tenant_id}/auth/token`. Each operation states the scope that it needs.',
  },
  driver: {
    type: 'http',
    scheme: 'bearer',
    description: 'The session token from `POST /driver/verify`. Browsers send it as a cookie.',
  },
  operator: { type: 'http', scheme: 'bearer', description: 'The operator token of this installation.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-drover-session',
    description:
      'The session of a person who logged in with `POST /session`. The user’s role decides its scopes and stores. Operators have access to every account. A request that changes data must be JSON and come from Drover’s own pages (`Sec-Fetch-Site: same-origin`, or Drover’s `Origin`).',
  },
  signature: {
    type: 'apiKey',
    in: 'query',
    name: 'sig',
    description:
      'The signature from a `*_url` in a response, sent together with its `exp`, the time until which it is valid.',
  },
}

const HEADERS = {
  RequestId: {
    description:
      'The caller’s X-Request-Id if it has 1 to 128 characters of A-Za-z0-9._-, otherwise an id that Drover generates.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'The number of seconds to wait before the next attempt.',
    schema: { type: 'integer' },
  },
  RateLimit: {
    description:
      '`r`: requests left. `t`: seconds until the full limit is available again. Absent if the caller was not authenticated, or if a signed URL was used.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: { description: '`q`: requests allowed in `w` seconds.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` if the response is a replay of an earlier one.',
    schema: { type: 'string' },
  },
  Location: {
    description:
      'The path of the created resource, to read with GET. Absent if the request created several resources, or no resource.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  LabelsLeftOut: {
    description:
      'With `skip_unavailable`: the ids of the deliveries that have no label now, separated by commas, in the order of the request. At most the first 50. Absent if there are none.',
    schema: { type: 'string' },
  },
  LabelsLeftOutCount: {
    description:
      'With `skip_unavailable`: the number of deliveries that have no label now. If it is more than 50, `Labels-Left-Out` names only the first 50. Absent if there are none.',
    schema: { type: 'integer' },
  },
  DataAsOf: {
    description:
      'The response was read from a replica of the database, and has everything that was committed before this time. Absent if the primary database answered.',
    schema: { type: 'string', format: 'date-time' },
  },
  WwwAuthenticate: {
    description:
      '`Bearer`, with the error of the token that was sent, such as a missing scope. `Basic` at the token endpoint.',
    schema: { type: 'string' },
  },
}
