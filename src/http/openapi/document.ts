import { Problem } from '../api/tracking/problem-schema.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { Components, type JsonSchema } from './components.ts'
import { operationOf } from './operation.ts'
import { webhooksOf } from './webhooks.ts'

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
  const paths: OpenApiDocument['paths'] = {}
  components.use(Problem)
  for (const endpoint of endpoints) {
    const path = endpoint.url.replace(/:([a-z_]+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, components) }
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
    webhooks: webhooksOf(components),
    components: { schemas: components.schemas, securitySchemes: SECURITY_SCHEMES, headers: HEADERS },
  }
}

const INTRODUCTION = `Delivery orchestration for merchants with stores: quote, book, label, follow to the door.

Every path under an account begins with its name, \`{tenant_id}\`. Bodies are JSON in UTF-8. Each operation states its largest body: 16 KiB, up to 1 MiB if it accepts a list, 7 MiB with a driver’s photo. A request counts once against the rate limit, and once more for each 16 KiB of its body. Money is whole cents, always AUD. Times are ISO 8601; without an offset they are the store's local time. A field that is not known is refused, with the nearest known name.

Mistakes come as RFC 9457 problems with a stable \`code\`; \`errors\` has all of them at once. A method that an address does not take is answered 405, and \`Allow\` names those that it takes. POST and PATCH take an \`Idempotency-Key\`: the same key and body get the first answer again, byte for byte, for 72 hours.`

const TAGS = [
  { name: 'Tokens', description: 'OAuth 2.0 client credentials.' },
  { name: 'People', description: 'Logging in, who may enter an account, and who changed what.' },
  { name: 'Deliveries', description: 'Create, read, book, cancel, follow.' },
  { name: 'Quotes', description: 'Prices and windows before booking.' },
  { name: 'Manifests', description: 'What is handed over together, as one order of its carrier.' },
  { name: 'Documents', description: 'Labels, declarations, summaries.' },
  { name: 'Stores', description: 'Stores, their hours and closures.' },
  {
    name: 'Own network',
    description: 'The stores’ own couriers, and what their app calls.',
  },
  { name: 'Events', description: 'What happened, to be fetched or told by webhooks.' },
  { name: 'Webhooks', description: 'Events that Drover posts to an account’s endpoints.' },
  { name: 'Messages', description: 'What customers were told, or why not.' },
  { name: 'Links', description: 'Addresses by which customers book their own delivery.' },
  { name: 'Tracking', description: 'What a customer sees of a delivery.' },
  { name: 'Carriers', description: 'Where carriers report.' },
  { name: 'Accounts', description: 'For operators: accounts as code, clients, test clocks.' },
  { name: 'Service', description: 'Health, metrics and this document.' },
]

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A bearer of one account from `POST /{tenant_id}/auth/token`, with the scope that stands beside each operation.',
  },
  driver: {
    type: 'http',
    scheme: 'bearer',
    description: 'The session that `POST /driver/verify` answers; browsers send it as a cookie.',
  },
  operator: { type: 'http', scheme: 'bearer', description: 'The operator token of this installation.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-drover-session',
    description:
      'A person who has logged in with `POST /session`, with the scopes and stores of the role; operators in every account. What changes something must come from our own pages (`Sec-Fetch-Site: same-origin`, or our `Origin`) as JSON.',
  },
  signature: {
    type: 'apiKey',
    in: 'query',
    name: 'sig',
    description: 'With `exp`: as it stands in a `*_url` of an answer, good for 24 hours.',
  },
}

const HEADERS = {
  RequestId: {
    description: 'The caller’s X-Request-Id if it is 1 to 128 of A-Za-z0-9._-, else one of ours.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  RateLimit: {
    description:
      '`r`: requests left; `t`: seconds until all are back. Absent where nobody was admitted, or a signed address opened it.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: { description: '`q`: requests in `w` seconds.', schema: { type: 'string' } },
  IdempotentReplayed: { description: '`true` on an answer given again.', schema: { type: 'string' } },
  Location: {
    description:
      'The path of the created resource, to read with GET. Absent if the request created several resources, or no resource.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  WwwAuthenticate: {
    description:
      '`Bearer`, with what is wrong with the one that was sent, also where it lacks a scope; `Basic` where a token is asked for.',
    schema: { type: 'string' },
  },
}
