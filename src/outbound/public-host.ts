import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/**
 * Whether a URL's host may be on the public internet; a name is checked again by the addresses that it
 * resolves to.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !LOCAL_NAMES.test(host)
}

/** Whether a URL names this machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

/** Names that always mean this machine or this network. */
const LOCAL_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|ip6-localhost|ip6-loopback)$/
