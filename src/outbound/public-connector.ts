import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { isPublicAddress } from './public-address.ts'

export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The address is none of the public internet: nothing was sent. */
export class NotPublic extends Error {}

/**
 * Connects to public addresses only: a name is judged by what it led to for this very connection, and the socket
 * once more. Fails with NotPublic. Literal addresses are for the caller to judge before.
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

/** A name that leads to one address we may not call is not called at all. */
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
