import type { Endpoint } from '../contract/endpoint.ts'
import { VARIABLE } from './variables.ts'

/** The variable or text for each path parameter, unless the endpoint's example gives another. */
const USUAL: Readonly<Record<string, string>> = {
  tenant_id: 'demo',
  delivery_id_or_reference: '$DELIVERY_ID',
  delivery_id: '$DELIVERY_ID',
  store_id_or_reference: 'melbourne-cbd',
  manifest_id: '$MANIFEST_ID',
  client_id: '$CLIENT_ID',
  link_id: '$LINK_ID',
  token: '$LINK_TOKEN',
  endpoint_id: '$ENDPOINT_ID',
  job_id: '$JOB_ID',
  user_id: '$USER_ID',
  session_id: '$SESSION_ID',
  assistant_id: '$ASSISTANT_ID',
  courier_id: '$COURIER_ID',
  version: '1',
  secret_name: 'example-key',
  adapter: 'swiftly',
  provider: 'swiftly',
  account: 'demo',
  booking: '$BOOKED_ID',
}

const FORM = 'application/x-www-form-urlencoded'

/** An example call of an endpoint as shell lines; the variables must be set. */
export function toCurl(endpoint: Endpoint): string {
  const { method, bodyOptional, example, rawMedia, exampleCall = {} } = endpoint
  const parts = [`curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$BASE${toPath(endpoint)}"`]
  for (const header of [...authorization(endpoint), ...(exampleCall.headers ?? [])])
    parts.push(`-H "${header}"`)
  const media = rawMedia ?? 'application/json'
  if (exampleCall.bodyFile)
    parts.push(`-H "Content-Type: ${media}"`, `--data-binary @${exampleCall.bodyFile}`)
  else if (example !== undefined && bodyOptional !== true)
    parts.push(
      `-H "Content-Type: ${media}"`,
      `--data-binary ${quoted(media === FORM ? String(new URLSearchParams(example as Record<string, string>)) : example)}`,
    )
  const file = findFileName(endpoint)
  if (file) parts.push(`-o ${file}`)
  return parts.join(' \\\n  ')
}

function toPath(endpoint: Endpoint): string {
  const path = endpoint.url.replace(/:([a-z_]+)/g, (_, name: string) => getPathValue(endpoint, name))
  return endpoint.exampleCall?.query ? `${path}?${endpoint.exampleCall.query}` : path
}

/** What the example of an endpoint has for a path parameter: a text, or a variable. Throws if nothing says it. */
export function getPathValue({ url, exampleCall = {} }: Endpoint, name: string): string {
  const value = exampleCall.path?.[name] ?? USUAL[name]
  if (value === undefined) throw new Error(`No example says what ${name} of ${url} is.`)
  return value
}

/** The first of the security schemes that the OpenAPI document names. */
function authorization({ access, ofSession, linkSession }: Endpoint): string[] {
  if (ofSession) return ['Cookie: $SESSION']
  if (linkSession) return ['Link-Session: $LINK_SESSION']
  if (access === 'public') return []
  return [`Authorization: Bearer ${TOKENS[access] ?? '$TOKEN'}`]
}

const TOKENS: Readonly<Record<string, string>> = { operator: '$OPERATOR_TOKEN', driver: '$DRIVER_TOKEN' }

/** In single quotes, with variables outside of them. */
function quoted(example: unknown): string {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  return `'${text.replaceAll("'", "'\\''").replace(VARIABLE, `'"$&"'`)}'`
}

/** A binary response is written to a file, not to the terminal. */
export function findFileName({ url, answers }: Endpoint): string | null {
  const media = Object.values(answers).flatMap(({ media }) => media ?? [])
  const type = media.find((one) => FILES[one])
  return type ? `${url.split('/').at(-1)?.replace(/\..*/, '')}.${FILES[type as string]}` : null
}

const FILES: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}
