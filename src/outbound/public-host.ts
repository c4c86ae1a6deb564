import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** Whether a URL's host may be one of the public internet; a name is judged again by the addresses it leads to. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !LOCAL_NAMES.test(host)
}

/** Names that mean this machine or this network wherever they are asked. */
const LOCAL_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|ip6-localhost|ip6-loopback)$/
