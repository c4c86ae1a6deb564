import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { TokenCache } from '../../carriers/port/token-cache.ts'
import { findCarrierToken, storeCarrierToken } from '../../store/carriers/carrier-tokens.ts'
import type { Sealer } from '../secrets/seal.ts'

const SignIn = z.object({ token: z.string(), renewFromMs: z.number(), endsMs: z.number() })

/**
 * Shared OAuth token cache of all accounts' carriers, in the database. Each token is encrypted and bound to
 * its account, its carrier and the credentials that it was issued for, so after a change of credentials it
 * doesn't decrypt and a new one is requested.
 */
export function sharedTokenCache({ db, sealer, log }: { db: Pool; sealer: Sealer; log: Logger }) {
  return (accountId: string, provider: string, signsInWith: string): TokenCache => {
    const place = JSON.stringify(['carrier token', accountId, provider, signsInWith])
    return {
      async get() {
        try {
          const row = await findCarrierToken(db, accountId, provider)
          return row && SignIn.parse(JSON.parse(sealer.open(row, place)))
        } catch {
          // Encrypted for other credentials or with another key, or the database is unavailable: request a
          // new token from the carrier.
          return null
        }
      },
      async put(signIn) {
        try {
          await storeCarrierToken(db, accountId, provider, sealer.seal(JSON.stringify(signIn), place))
        } catch (error) {
          log.warn({ err: error, accountId, provider }, 'a sign-in at a carrier could not be shared')
        }
      },
    }
  }
}
