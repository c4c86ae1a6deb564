import type { FastifyRequest } from 'fastify'
import { toResourceMetadataAddress } from '../../operations/assistants/addresses.ts'
import { ASSISTANT_TOKEN_PREFIX, getAssistantCaller } from '../../operations/assistants/assistant-tokens.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { notFound } from '../contract/problem.ts'
import { type Authenticated, type Authenticator, findBearer } from './admission.ts'

/** An assistant's token opens only the endpoint for which a person allowed it (RFC 8707): the MCP endpoint. */
export function isByAssistant(request: FastifyRequest, { access }: Pick<Endpoint, 'access'>): boolean {
  return access === 'client' && findBearer(request)?.startsWith(ASSISTANT_TOKEN_PREFIX) === true
}

/** Admits an assistant in its person's name. Checks run in the order of other bearer tokens: 401, 404, 429. */
export async function admitAssistant(
  deps: HttpDeps,
  gate: Authenticator,
  request: FastifyRequest,
  cost: number,
): Promise<Authenticated> {
  gate.admitAnybody(request, cost)
  const { user, caller } = await getAssistantCaller(deps, findBearer(request) ?? '')
  request.person = user
  const accountId = toAccountId(request)
  if (user.accountId !== accountId) throw notFound()
  return gate.admitCaller(request, accountId, null, caller, cost)
}

/**
 * The challenge of a 401 with the address of the metadata (RFC 9728, 5.1), from which a client discovers where to get a
 * token.
 */
export function withResourceMetadata(deps: HttpDeps, request: FastifyRequest, challenge: string): string {
  return `${challenge}, resource_metadata="${toResourceMetadataAddress(deps, toAccountId(request))}"`
}

function toAccountId(request: FastifyRequest): string {
  return (request.params as { tenant_id: string }).tenant_id
}
