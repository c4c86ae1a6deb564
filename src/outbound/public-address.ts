import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The global unicast range of IPv6: addresses outside it are not on the internet, or not yet. */
const GLOBAL_UNICAST = [ipaddr.IPv6.parse('2000::'), 3] as const

/**
 * Public addresses that a cloud answers itself on its own machines, with their secrets: Azure's wire server
 * (learn.microsoft.com, "What is IP address 168.63.129.16?").
 */
const OF_THE_CLOUD: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether an IP address is on the public internet: not private, loopback, link-local, reserved or multicast,
 * not a tunnel to one of these, and not a cloud's own. An address that can't be parsed is not public.
 */
export function isPublicAddress(address: string): boolean {
  // Parsers disagree about older notations, in octal or with fewer parts.
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false
  // An IPv4-mapped IPv6 address is checked as the IPv4 address.
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || OF_THE_CLOUD.has(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || parsed.match(...GLOBAL_UNICAST)
}
