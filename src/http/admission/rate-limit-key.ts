import ipaddr from 'ipaddr.js'

/**
 * Whose tries are counted together: an IPv4 address, however it is written, and of IPv6 the network of 64 bits, as whoever
 * has one address of it has them all (RFC 6177). What is no address counts as it stands.
 */
export function rateLimitKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  // A caller with IPv4 alone, behind a translator (RFC 6052): all of them stand in one network.
  if (address.range() === 'rfc6052') return ipaddr.fromByteArray(address.toByteArray().slice(12)).toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
