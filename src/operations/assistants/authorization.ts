import { createHash, randomBytes } from 'node:crypto'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { type AssistantAccess, toRequestedAccess } from '../../domain/people/assistant-access.ts'
import { refuse } from '../../domain/refuse.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { insertGrant } from '../../store/people/assistant-grants.ts'
import { type Assistant, findAssistant } from '../../store/people/assistants.ts'
import { holdsSession } from '../../store/people/user-sessions.ts'
import { lockUser } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { type Credentials, confirmIdentity } from '../people/check-second-factor.ts'
import { sessionEnded } from '../people/passkeys.ts'
import type { Person } from '../tokens/user-token.ts'
import { isMcpAddress, toIssuer } from './addresses.ts'

/** RFC 6749, 4.1.2, recommends ten minutes at most. An assistant exchanges the code at once. */
const CODE_LIFE_MS = 60_000

/** An authorization request (RFC 6749, 4.1.1), whose form the endpoint has checked. */
export type AuthorizationRequest = {
  accountId: string
  assistantId: string
  redirectUrl: string
  codeChallenge: string
  scope: string | null
  state: string | null
  resource: string | null
}

export type OpenedRequest = {
  assistant: Assistant
  /** The most that the person can allow. */
  access: AssistantAccess
  /** Where the browser goes if the person refuses. */
  denialUrl: string
}

type AuthorizationDeps = Pick<Deps, 'db' | 'publicUrl'>

/**
 * Checks a request before the person sees it. An unknown assistant or redirect URL is an error for the person: nothing
 * is sent to that URL (RFC 9700, 4.11). Refuses `not_found` and `invalid_request`.
 */
export async function openAuthorization(
  deps: AuthorizationDeps,
  person: Person,
  request: AuthorizationRequest,
): Promise<OpenedRequest> {
  const isOwn = person.accountId === request.accountId
  const assistant = isOwn ? await findAssistant(deps.db, request.accountId, request.assistantId) : null
  if (!assistant) throw new Refusal('not_found', NO_ASSISTANT)
  if (!assistant.redirectUrls.includes(request.redirectUrl)) refuse([WRONG_REDIRECT])
  if (request.resource !== null && !isMcpAddress(deps, request.accountId, request.resource))
    refuse([WRONG_RESOURCE])
  return {
    assistant,
    access: toRequestedAccess(request.scope),
    denialUrl: toAnswer(deps, request, { error: 'access_denied' }),
  }
}

/**
 * Allows the assistant, and returns the address that takes the code to it. The person types their password again, because
 * the access outlives their session. Refuses what `openAuthorization` and `confirmIdentity` refuse, and `unauthorized` if
 * the session has ended.
 */
export async function allowAssistant(
  deps: Deps,
  person: Person,
  request: AuthorizationRequest & { access: AssistantAccess; credentials: Credentials },
  record: WriteAudit,
): Promise<string> {
  const { assistant, access: most } = await openAuthorization(deps, person, request)
  if (request.access === 'write' && most === 'read') refuse([MORE_THAN_ASKED])
  await confirmIdentity(deps, person, request.credentials)
  const code = randomBytes(32).toString('base64url')
  const { accountId, userId, role } = person
  const { assistantId } = assistant
  const grantId = deps.newId('gra')
  await withTransaction(deps.db, async (db) => {
    await lockUser(db, accountId, userId)
    // While the password was compared, a reset may have ended all sessions and grants of the person.
    if (!(await holdsSession(db, person, person.sessionId))) throw sessionEnded()
    await insertGrant(db, {
      ...{ accountId, grantId, assistantId, userId, role, access: request.access },
      ...{ codeHash: hashCode(code), codeChallenge: request.codeChallenge, redirectUrl: request.redirectUrl },
      codeLifeMs: CODE_LIFE_MS,
    })
    await record(db, {
      accountId,
      object: grantId,
      after: { assistant: assistantId, access: request.access },
    })
  })
  return toAnswer(deps, request, { code })
}

/** Random input needs no salt. */
export function hashCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** The redirect URL with the answer, and with the issuer (RFC 9207). */
function toAnswer(
  deps: Pick<Deps, 'publicUrl'>,
  { accountId, redirectUrl, state }: AuthorizationRequest,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUrl)
  const parameters = { ...answer, ...(state === null ? {} : { state }), iss: toIssuer(deps, accountId) }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value)
  return url.href
}

const NO_ASSISTANT =
  'Your account doesn’t have this assistant. Ask an admin to add it. If you have a login for another account, use that one.'

const WRONG_REDIRECT: Issue = {
  field: 'redirect_uri',
  issue: 'invalid_value',
  message:
    'This request would send the access to an address that isn’t registered for this assistant, so we stopped it. If you didn’t start this yourself, close the page. If you did, ask an admin to check the assistant’s redirect URLs.',
}

const WRONG_RESOURCE: Issue = {
  field: 'resource',
  issue: 'invalid_value',
  message: 'The assistant asks for access to something other than this account’s MCP endpoint.',
}

const MORE_THAN_ASKED: Issue = {
  field: 'access',
  issue: 'conflict',
  message: 'The assistant asked for read access only. Choose `read`.',
}
