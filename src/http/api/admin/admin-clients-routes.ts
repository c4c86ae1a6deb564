import { record } from '../../../domain/untyped-json.ts'
import {
  createApiClient,
  listApiClients,
  type NewApiClient,
  revokeApiClient,
  takeOverApiClient,
} from '../../../operations/accounts/api-clients.ts'
import { listSpentToday } from '../../../operations/assistants/spending-limit.ts'
import { listUnknownStores } from '../../../operations/people/user-access.ts'
import { confirmPerson } from '../../admission/confirm-person.ts'
import { REFERENCES_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, type HttpResponse, json, openEndpoint, wholeList } from '../../contract/endpoint.ts'
import { notFound } from '../../contract/problem.ts'
import { answerOnceEncrypted, makeIdempotency } from '../../idempotency/idempotency.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { OwnCredentialsBody } from '../people/people-schema.ts'
import { ClientBody, ClientsAnswer, CreatedClientAnswer } from './admin-schema.ts'

/** What a person may get when they type their password and code again. */
const CONFIRMING = [
  'invalid_credentials',
  'second_factor_required',
  'invalid_second_factor',
  'rate_limited',
] as const

const ALL = '/admin/accounts/:tenant_id/clients'

export const CLIENT_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'GET',
    url: ALL,
    operationId: 'listClients',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'List the active API clients',
    answers: {
      200: {
        description: 'The clients that are not revoked, oldest first. Secrets are never returned.',
        schema: ClientsAnswer,
      },
    },
    refusals: ['not_found'],
    async handle({ deps, params }) {
      const entry = await deps.accounts.find(params.tenant_id as string)
      if (!entry) throw notFound()
      const clients = await listApiClients(deps, entry.account.id)
      const spent = await listSpentToday(deps, entry)
      const data = clients.map((client) => ({
        client_id: client.clientId,
        name: client.name,
        scopes: [...client.scopes],
        store_references: client.storeReferences && [...client.storeReferences],
        owner: client.owner && { id: client.owner.userId, name: client.ownerName ?? client.owner.userId },
        created_at: recordTime(client.createdAtMs),
        last_used_at: client.lastUsedAtMs === null ? undefined : recordTime(client.lastUsedAtMs),
        mcp_spent_today_cents: spent.get(client.clientId) ?? 0,
      }))
      return wholeList(data)
    },
  }),
  openEndpoint({
    method: 'POST',
    url: ALL,
    operationId: 'createClient',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Create an API client',
    description:
      'A logged-in person also sends their password, and their code if they have a second factor. The person owns the client. Drover revokes the client when its owner is disabled or becomes a clerk, unless another admin takes the client over first.',
    body: ClientBody,
    bodyLimit: REFERENCES_BODY,
    async moreIssues({ deps, params, body }) {
      const { store_references: stores } = record(body)
      const entry = await deps.accounts.find(params.tenant_id as string)
      return entry && Array.isArray(stores) ? listUnknownStores(entry.account, stores) : []
    },
    example: { name: 'Webshop', scopes: ['quotes', 'deliveries:read'] },
    answers: {
      201: {
        description: 'The client’s id and secret. The secret is returned only here.',
        schema: CreatedClientAnswer,
      },
    },
    refusals: ['not_found', ...CONFIRMING],
    idempotency: 'own',
    async handle(ask) {
      const { deps, params, body, request, audit } = ask
      const entry = await deps.accounts.find(params.tenant_id as string)
      if (!entry) throw notFound()
      const idempotency = makeIdempotency(request, body)
      return answerOnceEncrypted({ deps, entry, idempotency, request }, async (keep) => {
        await confirmPerson(ask, body)
        const newClient = {
          name: body.name,
          scopes: body.scopes,
          storeReferences: body.store_references ?? null,
          owner: request.person,
        }
        const client = await createApiClient(deps, entry.account.id, newClient, audit.record, (db, client) =>
          keep(db, toResponse(client)),
        )
        return toResponse(client)
      })
    },
  }),
  openEndpoint({
    method: 'POST',
    url: `${ALL}/:client_id/take-over`,
    operationId: 'takeOverClient',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Take over an API client',
    description:
      'The caller becomes the client’s owner. If the caller uses the operator’s token, the client has no owner afterwards. If you take over a client before you disable its current owner, the client keeps working. The client’s secret stays the same. If the earlier owner should no longer have it, create another client instead.',
    body: OwnCredentialsBody,
    bodyOptional: true,
    exampleCall: { path: { client_id: '$CLIENT_ID' } },
    answers: { 204: { description: 'The client has its new owner.' } },
    refusals: ['not_found', ...CONFIRMING],
    async handle(ask) {
      const { deps, params, body, request, audit } = ask
      const { tenant_id: accountId, client_id: clientId } = params as { tenant_id: string; client_id: string }
      if (!(await deps.accounts.find(accountId))?.clients.has(clientId)) throw notFound()
      await confirmPerson(ask, body)
      await takeOverApiClient(deps, accountId, clientId, request.person, audit.record)
      return { status: 204, body: '' }
    },
  }),
  openEndpoint({
    method: 'DELETE',
    url: `${ALL}/:client_id`,
    operationId: 'revokeClient',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Revoke an API client',
    description:
      'The client can get no new tokens, and its existing tokens stop working in every process within seconds.',
    answers: { 204: { description: 'The client is revoked.' } },
    refusals: ['not_found'],
    async handle({ deps, params, audit }) {
      await revokeApiClient(deps, params.tenant_id as string, params.client_id as string, audit.record)
      return { status: 204, body: '' }
    },
  }),
]

function toResponse({ clientId, clientSecret }: NewApiClient): HttpResponse {
  return json(201, { data: { client_id: clientId, client_secret: clientSecret } })
}
