import type { Scope } from '../../domain/people/scopes.ts'
import type { JsonSchema } from './components.ts'
import type { PublishedDocument } from './published.ts'

const PREFIX = '/{tenant_id}'

/**
 * The document of one account: the server is the account's, and the token has an OAuth 2.0 flow, so that *Authorize* in
 * an API viewer fetches one. It holds what a client of the account may call; the same for every account but for its id.
 */
export function accountDocument(document: PublishedDocument, tenantId: string): PublishedDocument {
  const server = `${document.servers[0]?.url ?? ''}/${tenantId}`
  const paths = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .map(([path, methods]) => [path.slice(PREFIX.length), withoutTenant(methods)])
  const {
    session: _session,
    driver: _driver,
    operator: _operator,
    ...others
  } = document.components.securitySchemes as Record<string, JsonSchema>
  const { type: _type, scheme: _scheme, ...token } = others.token as JsonSchema
  const flow = { tokenUrl: `${server}/auth/token`, scopes: SCOPE_WORDS }
  return {
    ...document,
    servers: [{ url: server }],
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      securitySchemes: {
        ...others,
        token: { ...token, type: 'oauth2', flows: { clientCredentials: flow } },
      },
    },
  }
}

/** Operations without the path parameter that the server has now, and without the logins that an API client lacks. */
function withoutTenant(methods: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(methods).map(([method, operation]) => {
      const { parameters, security, responses } = operation as {
        parameters: { name: string }[]
        security: JsonSchema[]
        responses: Record<string, JsonSchema>
      }
      return [
        method,
        {
          ...operation,
          parameters: parameters.filter(({ name }) => name !== 'tenant_id'),
          security: security.filter((one) => 'token' in one),
          responses: Object.fromEntries(
            Object.entries(responses).map(([status, response]) => [status, withoutTenantLinks(response)]),
          ),
        },
      ]
    }),
  )
}

function withoutTenantLinks(response: JsonSchema): JsonSchema {
  if (!response.links) return response
  const links = Object.entries(response.links as Record<string, { parameters: JsonSchema }>)
  return {
    ...response,
    links: Object.fromEntries(
      links.map(
        ([
          name,
          {
            parameters: { tenant_id: _, ...parameters },
            ...link
          },
        ]) => [name, { ...link, parameters }],
      ),
    ),
  }
}

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'deliveries:read': 'Read deliveries, and fetch labels and other documents.',
  'deliveries:write': 'Create, book, amend and cancel deliveries.',
  quotes: 'Get prices, windows and store allocations.',
  manifests: 'Create, read and submit manifests.',
  links: 'Create, send and revoke booking links.',
  webhooks: 'Manage webhook endpoints, and read events.',
  account: 'Read and change what belongs to the whole account.',
  'driver_codes:read': 'Read drivers’ login codes.',
}
