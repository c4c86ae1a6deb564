import type { Deps } from '../deps.ts'

type AddressDeps = Pick<Deps, 'publicUrl'>

// All addresses begin with the configured base URL: a request's Host header proves nothing.

/** The account's authorization server (RFC 8414). */
export function toIssuer({ publicUrl }: AddressDeps, accountId: string): string {
  return `${publicUrl}/${encodeURIComponent(accountId)}`
}

/** The protected resource (RFC 8707): the account's MCP endpoint. */
export function toMcpAddress(deps: AddressDeps, accountId: string): string {
  return `${toIssuer(deps, accountId)}/mcp`
}

/** The metadata of that resource (RFC 9728). */
export function toResourceMetadataAddress({ publicUrl }: AddressDeps, accountId: string): string {
  return `${publicUrl}/.well-known/oauth-protected-resource/${encodeURIComponent(accountId)}/mcp`
}

/** Whether a `resource` parameter names the account's MCP endpoint, with or without its query. */
export function isMcpAddress(deps: AddressDeps, accountId: string, resource: string): boolean {
  return resource.split('?', 1)[0] === toMcpAddress(deps, accountId)
}
