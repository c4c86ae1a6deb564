import { type Endpoint, takesKey } from '../contract/endpoint.ts'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { RETRY_AFTER_SECONDS } from '../contract/problem.ts'
import { UNCACHED_ERRORS } from '../contract/uncached-errors.ts'
import type { ResponseExample } from '../examples/response-examples.ts'
import type { Components, JsonSchema } from './components.ts'
import { maxBytes, toAnswer, toBody, withPage } from './content.ts'
import { toLinks } from './links.ts'
import { listCodes } from './refusals.ts'

/** One endpoint as an OpenAPI operation, with the recorded response of its example if there is one. */
export function toOperation(
  endpoint: Endpoint,
  components: Components,
  recorded?: ResponseExample,
): JsonSchema {
  const body = toBody(endpoint, components)
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    security: toSecurity(endpoint),
    parameters: [
      ...pathParameters(endpoint),
      ...queryParameters(endpoint, components),
      ...keyParameter(endpoint),
      ...sessionParameter(endpoint),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: toResponses(endpoint, components, recorded),
  }
}

function toSecurity({ access, ofSession }: Endpoint): JsonSchema[] {
  if (access === 'public') return ofSession ? [{ session: [] }] : []
  if (access === 'operator') return [{ operator: [] }, { session: [] }]
  if (access === 'driver') return [{ driver: [] }]
  if (access === 'client') return [{ token: [] }]
  if (access === 'document') return [{ token: ['deliveries:read'] }, { session: [] }, { signature: [] }]
  return [{ token: [access] }, { session: [] }]
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  tenant_id: 'The id of the account.',
  delivery_id_or_reference:
    'Drover’s id (`dlv_…`), or your reference, percent-encoded. Use the id if the reference is only `.` or `..`, because most clients remove these from a URL.',
  store_id_or_reference: 'Drover’s id (`sto_…`), or your reference.',
  manifest_id: 'The id of the manifest (`man_…`).',
  client_id: 'The id of the API client.',
  link_id: 'The id of the link (`lnk_…`).',
  token: 'The last part of the URL that the customer has.',
  endpoint_id: 'The id of the webhook endpoint (`whk_…`).',
  job_id:
    'The id of the job, as returned when it was created. For a driver: the id of the delivery, or the token of its link.',
  user_id: 'The id of the user (`usr_…`).',
  session_id: 'The id of the session (`ses_…`).',
  assistant_id: 'The id of the assistant (`ast_…`).',
  grant_id: 'The id of the grant (`gra_…`), from `listOwnAssistants`.',
  courier_id: 'The id of the staff courier (`cou_…`).',
  version: 'The version number.',
  secret_name: 'The name by which account documents refer to the secret.',
  adapter: 'The key of the carrier.',
  account: 'The id of the account.',
}

function pathParameters({ url }: Endpoint): JsonSchema[] {
  return [...url.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? name,
    schema: { type: 'string' },
    ...(name === 'tenant_id' ? { example: 'demo' } : {}),
  }))
}

function queryParameters({ query }: Endpoint, components: Components): JsonSchema[] {
  if (!query) return []
  const { properties = {}, required = [] } = components.use(query) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
  }))
}

function keyParameter(endpoint: Endpoint): JsonSchema[] {
  if (!takesKey(endpoint)) return []
  const description =
    endpoint.idempotency === 'none'
      ? 'Accepted but not needed, because the operation changes nothing.'
      : 'Makes the request safe to repeat for 72 hours. 1 to 255 printable ASCII characters, bare or quoted.'
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description,
      schema: { type: 'string', minLength: 1, maxLength: 257, pattern: IDEMPOTENCY_KEY },
    },
  ]
}

/**
 * A bare key, or one in double quotes; 1 to 255 characters either way, as `parseKey` reads them. Alternatives instead of a
 * look-ahead, which Go does not know: quoted; a quote alone; no quote first; a quote first but not last.
 */
const IDEMPOTENCY_KEY = '^(?:"[ -~]{1,255}"|"|[ !#-~][ -~]{0,254}|"[ -~]{0,253}[ !#-~])$'

function sessionParameter({ linkSession }: Endpoint): JsonSchema[] {
  if (!linkSession) return []
  const description = 'The `session` from `POST /l/{token}/verify`. It is valid for 30 minutes.'
  return [{ name: 'Link-Session', in: 'header', required: true, description, schema: { type: 'string' } }]
}

function toResponses(
  endpoint: Endpoint,
  components: Components,
  recorded: ResponseExample | undefined,
): JsonSchema {
  const responses: JsonSchema = {}
  for (const [status, answer] of Object.entries(endpoint.answers)) {
    responses[status] = {
      ...withPage(
        toAnswer(answer, components, recorded?.status === Number(status) ? recorded.body : undefined),
        endpoint,
        Number(status),
      ),
      headers: toHeaders(endpoint, Number(status)),
      ...toLinks(endpoint, Number(status)),
    }
  }
  const byStatus = Object.groupBy(listCodes(endpoint), (code) => ERRORS[code].status)
  for (const [status, codes = []] of Object.entries(byStatus)) {
    const own = responses[status] as JsonSchema | undefined
    responses[status] = withPage(withProblem(own, codes, endpoint, Number(status)), endpoint, Number(status))
  }
  return responses
}

/** Adds the errors of one status to the endpoint's own response of that status, if there is one. */
function withProblem(
  own: JsonSchema | undefined,
  codes: readonly ErrorCode[],
  endpoint: Endpoint,
  status: number,
): JsonSchema {
  const errors = codes
    .map((code) => `\`${code}\`: ${ERRORS[code].title}.${describeCode(code, endpoint)}`)
    .join(' ')
  return {
    description: own ? `${own.description} Or ${errors}` : errors,
    headers: toHeaders(endpoint, status, codes),
    content: {
      ...(own?.content as JsonSchema | undefined),
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  }
}

/** The size limit depends on the endpoint. */
function describeCode(code: ErrorCode, endpoint: Endpoint): string {
  return code === 'payload_too_large' ? ` ${maxBytes(endpoint)}` : ''
}

/** Headers of a response with this status; `codes` are its errors, if it is an error response. */
function toHeaders(endpoint: Endpoint, status: number, codes: readonly ErrorCode[] = []): JsonSchema {
  const names = ['RequestId']
  // An unauthenticated client has no allowance. Outside accounts, limits are per address and reported only once
  // exceeded.
  const isCounted = !['public', 'operator', 'driver'].includes(endpoint.access)
  // An admitted person may still get 401: their password or code is wrong.
  const isBeforeAdmission = BEFORE_ADMISSION.includes(status) && !codes.includes('invalid_credentials')
  if (status === 429 || (isCounted && !isBeforeAdmission)) names.push('RateLimit', 'RateLimitPolicy')
  if (isReplayed(endpoint) && (status < 300 || codes.some((code) => !UNCACHED_ERRORS.has(code))))
    names.push('IdempotentReplayed')
  if (status === 401 || codes.includes('insufficient_scope')) names.push('WwwAuthenticate')
  if (codes.some((code) => code in RETRY_AFTER_SECONDS)) names.push('RetryAfter')
  if (endpoint.readsReplica && status < 300) names.push('DataAsOf')
  names.push(...(endpoint.answers[status]?.headers ?? []))
  if (status === 201 && toLinks(endpoint, status).links) names.push('Location')
  return Object.fromEntries(
    names.map((name) => [WIRE_NAMES[name] as string, { $ref: `#/components/headers/${name}` }]),
  )
}

/** Sent before the client is authenticated: from the socket, or because authentication failed. */
const BEFORE_ADMISSION: readonly number[] = [401, 408, 431]

function isReplayed(endpoint: Endpoint): boolean {
  return takesKey(endpoint) && endpoint.idempotency !== 'none'
}

const WIRE_NAMES: Readonly<Record<string, string>> = {
  RequestId: 'X-Request-Id',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  IdempotentReplayed: 'Idempotent-Replayed',
  RetryAfter: 'Retry-After',
  WwwAuthenticate: 'WWW-Authenticate',
  Location: 'Location',
  LabelsLeftOut: 'Labels-Left-Out',
  LabelsLeftOutCount: 'Labels-Left-Out-Count',
  DataAsOf: 'Data-As-Of',
}
