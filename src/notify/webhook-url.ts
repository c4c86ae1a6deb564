import { isPublicHost } from '../outbound/public-host.ts'

export type UrlRules = {
  /** For tests and closed networks: any address, any port, plain HTTP too. */
  allowPrivate: boolean
}

const LONGEST = 2_000
/** TLS ports on the public internet; with other ports, customers could use us as a port scanner. */
const PORTS = new Set(['', '443', '8443'])

/** Why a URL isn't allowed for a webhook, as a sentence; null if it may be used. */
export function webhookUrlMistake(text: string, { allowPrivate }: UrlRules): string | null {
  if (text.length > LONGEST) return `url must have at most ${LONGEST} characters.`
  if (!URL.canParse(text)) return 'url must be a complete address, e.g. https://example.com/drover.'
  const { protocol, username, password, hash, port, hostname } = new URL(text)
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'url must begin with https://.'
  if (username !== '' || password !== '') {
    return 'url must not contain a user or a password. Verify the signature instead.'
  }
  if (hash !== '') return 'url must not have a #fragment.'
  if (allowPrivate) return null
  if (!PORTS.has(port)) return 'url must use port 443 or 8443.'
  return isPublicHost(hostname)
    ? null
    : 'url must be on the public internet: private and local addresses are not called.'
}
