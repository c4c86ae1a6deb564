import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { isPublicAddress } from './public-address.ts'

export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The address is not on the public internet: nothing was sent. */
export class NotPublic extends Error {}

/**
 * SSRF protection: connects to public addresses only. A name is checked by the addresses resolved for this
 * connection, and the connected socket once more. Fails with NotPublic. The caller has to check literal
 * addresses before.
 */
export function publicConnector(
  build: typeof buildConnector,
  lookup: Lookup,
  timeoutMs: number,
): buildConnector.connector {
  const connect = build({ timeout: timeoutMs, lookup: publicOnly(lookup) })
  return (options, done) =>
    connect(options, (error, socket) => {
      if (error) return done(error, null)
      if (isPublicAddress(socket.remoteAddress ?? '')) return done(null, socket)
      socket.destroy()
      done(new NotPublic(), null)
    })
}

/** If a name resolves to even one forbidden address, it isn't called at all. */
function publicOnly(lookup: Lookup): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) return done(error ?? new NotPublic(), '', 0)
      if (!addresses.every(({ address }) => isPublicAddress(address))) return done(new NotPublic(), '', 0)
      if (options.all) return done(null, addresses)
      done(null, first.address, first.family)
    })
  }
}
