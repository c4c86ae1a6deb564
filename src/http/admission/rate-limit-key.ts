import ipaddr from 'ipaddr.js'

/**
 * Rate-limit key: the IPv4 address in canonical form, or the /64 prefix for IPv6 because one client controls the whole
 * prefix (RFC 6177). Text that is not an address is used as it is.
 */
export function rateLimitKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  // IPv4-only clients behind a NAT64 translator (RFC 6052) all share one prefix, so the IPv4 address inside is the key.
  if (address.range() === 'rfc6052') return ipaddr.fromByteArray(address.toByteArray().slice(12)).toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
