import type { Scope } from './scopes.ts'
import { ROLE_SCOPES, type Role } from './user.ts'

/** What a person allows an assistant: only to read, or also to plan and carry out changes. */
export const ASSISTANT_ACCESSES = ['read', 'write'] as const
export type AssistantAccess = (typeof ASSISTANT_ACCESSES)[number]

/** The scopes of the MCP tools. */
const TOOL_SCOPES = ['deliveries:read', 'quotes', 'account', 'manifests'] as const satisfies readonly Scope[]

const SCOPES_OF_ACCESS: Readonly<Record<AssistantAccess, readonly Scope[]>> = {
  read: TOOL_SCOPES,
  write: [...TOOL_SCOPES, 'deliveries:write'],
}

/** The scopes of an assistant: those of what was allowed that the person's role has too. */
export function listAssistantScopes(role: Role, access: AssistantAccess): Scope[] {
  return ROLE_SCOPES[role].filter((scope) => SCOPES_OF_ACCESS[access].includes(scope))
}

const READ_SCOPE = 'mcp:read'
const WRITE_SCOPE = 'mcp:write'
/** The scopes of the authorization server: what an assistant may ask for. */
export const OAUTH_SCOPES = [READ_SCOPE, WRITE_SCOPE] as const

/** The `scope` of a token response. */
export const OAUTH_SCOPE_OF_ACCESS: Readonly<Record<AssistantAccess, string>> = {
  read: READ_SCOPE,
  write: `${READ_SCOPE} ${WRITE_SCOPE}`,
}

/**
 * The most that the `scope` of an authorization request asks for. Without one: everything, and the person decides. Unknown
 * scopes are ignored (RFC 6749, 3.3).
 */
export function toRequestedAccess(scope: string | null): AssistantAccess {
  return scope === null || scope.split(' ').includes(WRITE_SCOPE) ? 'write' : 'read'
}
