import { tooManyCodes } from '../../operations/messages/sms-limits.ts'
import { type AskedPhone, MAX_ATTEMPTS } from '../../operations/own-couriers/driver-login.ts'
import { type Bucket, type Limit, makeBuckets, take, tooMany } from './rate-limit.ts'

/**
 * Rate limit (token bucket) of driver logins, per process. The database enforces codes per hour and attempts for each
 * phone across all processes.
 */
const OF_ADDRESS = {
  codes: { burst: 100, perSecond: 100 / 3600 },
  guesses: { burst: 50, perSecond: 50 / 3600 },
} as const satisfies Record<string, Limit>
const OF_ALL = {
  codes: { burst: 1_000, perSecond: 1_000 / 3600 },
  // Wrong codes only. With 10,000 couriers and all codes open, 500 guesses an hour find one code in 2,000 hours.
  guesses: { burst: 500, perSecond: 500 / 3600 },
} as const satisfies Record<string, Limit>

type CountedRequest = keyof typeof OF_ALL
type Refund = () => void
const NAMES: Readonly<Record<CountedRequest, string>> = { codes: 'codes', guesses: 'wrong codes' }
const MAX_NAMES = 100_000
const HOUR_MS = 3_600_000

/** Limits requested codes and guesses: per address, per phone, and over all clients. */
export type LoginRateLimit = {
  /** Takes a token of the address, or throws `rate_limited`. Called before any lookup. */
  consumeForIp(counted: CountedRequest, network: string, nowMs: number): Refund
  /** Takes a token of the phone and one of the overall limit, or throws `rate_limited`. */
  consumeForPhone(
    counted: CountedRequest,
    phone: Pick<AskedPhone, 'phone' | 'codesAnHour'>,
    nowMs: number,
  ): Refund
}

export function loginRateLimit(nowMs: number, maxNames = MAX_NAMES): LoginRateLimit {
  const buckets = makeBuckets(maxNames)
  // Separate from the per-address buckets, which are evicted when there are too many: a client with 100,000 addresses
  // would otherwise start again with a full bucket.
  const ofAll = { codes: full(OF_ALL.codes, nowMs), guesses: full(OF_ALL.guesses, nowMs) }

  function consume(counted: CountedRequest, bucket: Bucket, limit: Limit, nowMs: number): void {
    const wait = take(bucket, limit, nowMs)
    if (wait > 0) throw tooMany(wait, NAMES[counted])
  }

  return {
    consumeForIp(counted, network, nowMs) {
      const limit = OF_ADDRESS[counted]
      const bucket = buckets(`${counted} of address ${network}`, limit, nowMs)
      consume(counted, bucket, limit, nowMs)
      return () => (bucket.tokens += 1)
    },
    consumeForPhone(counted, { phone, codesAnHour }, nowMs) {
      const max = counted === 'codes' ? codesAnHour : codesAnHour * MAX_ATTEMPTS
      const hour = buckets(`${counted} of phone ${phone}, ${max}`, { burst: max, perSecond: 0 }, nowMs)
      consumeForHour(counted, hour, max, nowMs)
      // Last, so that a client over its own limit takes nothing from the overall limit.
      consume(counted, ofAll[counted], OF_ALL[counted], nowMs)
      return () => {
        hour.tokens = Math.min(max, hour.tokens + 1)
        ofAll[counted].tokens += 1
      }
    },
  }
}

/** Counts like the database, in hours that begin with the first code, so that every code we announce is sent. */
function consumeForHour(counted: CountedRequest, hour: Bucket, max: number, nowMs: number): void {
  if (nowMs - hour.atMs >= HOUR_MS) Object.assign(hour, { tokens: max, atMs: nowMs })
  if (hour.tokens < 1) {
    const seconds = Math.ceil((hour.atMs + HOUR_MS - nowMs) / 1000)
    throw counted === 'codes' ? tooManyCodes(max, seconds) : tooMany(seconds, NAMES[counted])
  }
  hour.tokens -= 1
}

function full({ burst }: Limit, nowMs: number): Bucket {
  return { tokens: burst, atMs: nowMs }
}
