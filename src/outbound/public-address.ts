import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Where the global unicast addresses of IPv6 are: whatever lies outside is not the internet, or not yet. */
const GLOBAL_UNICAST = [ipaddr.IPv6.parse('2000::'), 3] as const

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local, reserved, multicast
 * or a way round to one of these. What cannot be read is not public.
 */
export function isPublicAddress(address: string): boolean {
  // The older spellings, in octal or with fewer parts, are read differently by different readers.
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false
  // An IPv4 address in IPv6 clothes is judged as what it is.
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(...GLOBAL_UNICAST)
}
