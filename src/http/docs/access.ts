import type { Endpoint } from '../contract/endpoint.ts'

/** The access that an operation requires, as a sentence with `code`. */
export function describeAccess(
  { access, url, linkSession }: Endpoint,
  { security }: { security: readonly Record<string, string[]>[] },
): string {
  if (linkSession) return 'Needs the `Link-Session` that `POST /l/{token}/verify` returns.'
  if (security.length === 0)
    return OPEN[Object.keys(OPEN).find((start) => url.startsWith(start)) as string] as string
  const ways = security.map((way) => ACCESS_TEXTS[Object.keys(way)[0] as string]?.(access))
  return `Needs ${ways.join(', or ')}.`
}

/** By the security scheme of the document. */
const ACCESS_TEXTS: Readonly<Record<string, (access: Endpoint['access']) => string>> = {
  token: (access) =>
    access === 'client'
      ? 'the bearer token of an API client or of a connected assistant; each tool has its scope'
      : `a bearer token with the scope \`${access === 'document' ? 'deliveries:read' : access}\``,
  session: () => 'the session of a logged-in person whose role allows it',
  driver: () => 'the session of a staff courier',
  operator: () => 'the token of the operator',
  signature: () => 'a signed address',
}

/** By the start of the path if there is no security scheme; the first match counts. */
const OPEN: Readonly<Record<string, string>> = {
  '/l/': 'Open to anybody who has the link.',
  '/track/': 'Open to anybody who has the tracking address.',
  '/courier/': 'Open to anybody who has the signed address from the courier’s email.',
  '/pickup/': 'Open to anybody who has the courier’s signed address.',
  '/carriers/': 'Open to the carrier, who signs what it sends.',
  '/': 'Open to anybody.',
}
