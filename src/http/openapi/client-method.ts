import type { JsonSchema } from './components.ts'

/** Where the name that follows from path and operationId would not be an engineer's. */
const NAMES: Readonly<Record<string, string>> = {
  listAudit: 'auditLog.list',
  quoteDelivery: 'quotes.nextAvailable',
  checkAvailability: 'quotes.availability',
  allocateStores: 'quotes.allocateStores',
  getAllocation: 'quotes.getAllocation',
  getLabel: 'deliveries.label',
  getLabels: 'deliveries.labels',
  getDangerousGoodsDeclaration: 'deliveries.dangerousGoodsDeclaration',
  getProofOfDelivery: 'deliveries.proofOfDelivery',
  getOrderSummary: 'manifests.orderSummary',
  createStoreManifests: 'manifests.createOfStore',
  getInsights: 'insights.get',
  rotateWebhookSecret: 'webhookEndpoints.rotateSecret',
  listWebhookAttempts: 'webhookEndpoints.listAttempts',
  replayWebhooks: 'webhookEndpoints.replay',
}
/** A token makes the signature of a link unnecessary. */
const OF_SIGNATURES = ['exp', 'sig']
const TENANT = '/{tenant_id}/'

/** How `@drover/client` returns an answer: pages, its `data`, all of its JSON, a file, or nothing. */
export type AnswerKind = 'pages' | 'data' | 'json' | 'bytes' | 'nothing'

type ClientOperation = {
  operationId: string
  security?: readonly object[]
  parameters: readonly { name: string; in: string }[]
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

/** MCP has clients of its own. */
export function isForClients({ operationId, security }: ClientOperation): boolean {
  return operationId !== 'callMcp' && security?.some((one) => 'token' in one) === true
}

/** `POST /{tenant_id}/webhook-endpoints`, `createWebhookEndpoint`: `webhookEndpoints`, `create`. */
export function toClientName(path: string, operationId: string): [string, string] {
  const named = NAMES[operationId]
  if (named) return named.split('.') as [string, string]
  const resource = (path.slice(TENANT.length).split('/')[0] as string).replaceAll(
    /-(\w)/g,
    (_, letter: string) => letter.toUpperCase(),
  )
  const plural = `${resource[0]?.toUpperCase()}${resource.slice(1)}`
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '')
  const name = operationId.replace(new RegExp(`(?<=[a-z])(${plural}|${singular})(?=[A-Z]|$)`), '')
  return [resource, name]
}

/** The keywords that a name in the API may be. */
export function isPythonKeyword(name: string): boolean {
  return /^(from|import|class|pass|global|return|with|as|is|in|not|or|and|if|else|def|del|try)$/.test(name)
}

/** `webhookEndpoints` becomes `webhook_endpoints`, and the keyword `from` becomes `from_`. */
export function toPythonName(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return isPythonKeyword(snake) ? `${snake}_` : snake
}

/** The path parameters that a method takes, in order, and its query; the client knows the account. */
export function toClientParameters<P extends ClientOperation['parameters'][number]>({
  parameters,
}: {
  parameters: readonly P[]
}): { ids: P[]; query: P[] } {
  return {
    ids: parameters.filter((one) => one.in === 'path' && one.name !== 'tenant_id'),
    query: parameters.filter((one) => one.in === 'query' && !OF_SIGNATURES.includes(one.name)),
  }
}

/** The kind of an operation's answer, and the schemas of its successes. */
export function toAnswerKind(
  { responses }: ClientOperation,
  components: Readonly<Record<string, JsonSchema>>,
): { kind: AnswerKind; schemas: JsonSchema[] } {
  const all = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, { content }]) => (content ? Object.values(content)[0]?.schema : undefined))
  const schemas = all.filter((schema) => schema !== undefined)
  if (schemas.length < all.length) return { kind: 'nothing', schemas }
  if (schemas.every(({ format }) => format === 'binary')) return { kind: 'bytes', schemas }
  const members = schemas.map((schema) => {
    const { $ref } = schema as { $ref?: string }
    const { properties = {} } = $ref ? (components[$ref.split('/').at(-1) as string] as JsonSchema) : schema
    return Object.keys(properties as object).join()
  })
  if (members.every((names) => names === 'data,pagination')) return { kind: 'pages', schemas }
  return { kind: members.every((names) => names === 'data') ? 'data' : 'json', schemas }
}
