import { record } from '../../../domain/untyped-json.ts'
import {
  createApiClient,
  listApiClients,
  type NewApiClient,
  revokeApiClient,
} from '../../../operations/accounts/api-clients.ts'
import { unknownStoresOf } from '../../../operations/people/user-access.ts'
import { REFERENCES_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, type HttpResponse, json, openEndpoint, wholeList } from '../../contract/endpoint.ts'
import { notFound } from '../../contract/problem.ts'
import { answerOnceEncrypted } from '../../idempotency/encrypted-response.ts'
import { idempotencyOf } from '../../idempotency/idempotency.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { ClientBody, ClientsAnswer, CreatedClientAnswer } from './admin-schema.ts'

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
      const clients = await listApiClients(deps, params.tenant_id as string)
      const data = clients.map((client) => ({
        client_id: client.clientId,
        name: client.name,
        scopes: [...client.scopes],
        store_references: client.storeReferences && [...client.storeReferences],
        created_at: recordTime(client.createdAtMs),
        last_used_at: client.lastUsedAtMs === null ? undefined : recordTime(client.lastUsedAtMs),
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
    body: ClientBody,
    bodyLimit: REFERENCES_BODY,
    moreIssues({ deps, params, body }) {
      const { store_references: stores } = record(body)
      return Array.isArray(stores) ? unknownStoresOf(deps, params.tenant_id as string, stores) : []
    },
    example: { name: 'Webshop', scopes: ['quotes', 'deliveries:read'] },
    answers: {
      201: {
        description: 'The client’s id and secret. The secret is returned only here.',
        schema: CreatedClientAnswer,
      },
    },
    refusals: ['not_found'],
    idempotency: 'own',
    handle({ deps, params, body, request, audit }) {
      const entry = deps.accounts.find(params.tenant_id as string)
      if (!entry) throw notFound()
      const idempotency = idempotencyOf(request, body)
      return answerOnceEncrypted({ deps, entry, idempotency, request }, async (keep) => {
        const asked = {
          name: body.name,
          scopes: body.scopes,
          storeReferences: body.store_references ?? null,
        }
        const made = await createApiClient(deps, entry.account.id, asked, audit.record, (db, made) =>
          keep(db, answerOf(made)),
        )
        return answerOf(made)
      })
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
      'The client can get no new tokens, and its existing tokens stop working. Every process applies this within seconds.',
    answers: { 204: { description: 'The client is revoked.' } },
    refusals: ['not_found'],
    async handle({ deps, params, audit }) {
      await revokeApiClient(deps, params.tenant_id as string, params.client_id as string, audit.record)
      return { status: 204, body: '' }
    },
  }),
]

function answerOf({ clientId, clientSecret }: NewApiClient): HttpResponse {
  return json(201, { data: { client_id: clientId, client_secret: clientSecret } })
}
