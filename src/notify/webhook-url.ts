import { isPublicHost } from '../outbound/public-host.ts'

export type UrlRules = {
  /** For tests and closed networks: any address, any port, plain HTTP too. */
  allowPrivate: boolean
}

const LONGEST = 2_000
/** Of TLS on the public internet; others would make us a scanner of ports. */
const PORTS = new Set(['', '443', '8443'])

/** What keeps an address from being a webhook's, as a sentence; null when it may be tried. */
export function webhookUrlMistake(text: string, { allowPrivate }: UrlRules): string | null {
  if (text.length > LONGEST) return `url must have at most ${LONGEST} characters.`
  if (!URL.canParse(text)) return 'url must be a whole address, e.g. https://example.com/drover.'
  const { protocol, username, password, hash, port, hostname } = new URL(text)
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'url must begin with https://.'
  if (username !== '' || password !== '') {
    return 'url may not hold a user or a password: verify the signature instead.'
  }
  if (hash !== '') return 'url may not end in a #fragment.'
  if (allowPrivate) return null
  if (!PORTS.has(port)) return 'url may use the ports 443 and 8443 only.'
  return isPublicHost(hostname)
    ? null
    : 'url must be on the public internet: private and local addresses are not called.'
}
