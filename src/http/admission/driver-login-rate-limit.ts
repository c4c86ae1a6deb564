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
type LimitedPhone = Pick<AskedPhone, 'phone' | 'codesAnHour' | 'homes' | 'isTexted'>
type Refund = () => void
const NAMES: Readonly<Record<CountedRequest, string>> = { codes: 'codes', guesses: 'wrong codes' }
const MAX_NAMES = 100_000
const HOUR_MS = 3_600_000

/** Limits requested codes and guesses: per address, per phone, and over all clients. */
export type LoginRateLimit = {
  /** Takes a token of the address, or throws `rate_limited`. Called before any lookup. */
  consumeForIp(counted: CountedRequest, network: string, nowMs: number): Refund
  /** Takes a token of the phone and, for a courier's, one of the overall limit, or throws `rate_limited`. */
  consumeForPhone(counted: CountedRequest, phone: LimitedPhone, nowMs: number): Refund
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

  // Checked before anything is deducted: otherwise three refusals would use up a phone's own codes of the hour.
  function refuseIfAllUsed(counted: CountedRequest, nowMs: number): void {
    consume(counted, ofAll[counted], OF_ALL[counted], nowMs)
    ofAll[counted].tokens += 1
  }

  return {
    consumeForIp(counted, network, nowMs) {
      refuseIfAllUsed(counted, nowMs)
      const limit = OF_ADDRESS[counted]
      const bucket = buckets(`${counted} of address ${network}`, limit, nowMs)
      consume(counted, bucket, limit, nowMs)
      return () => (bucket.tokens += 1)
    },
    consumeForPhone(counted, { phone, codesAnHour, homes, isTexted }, nowMs) {
      refuseIfAllUsed(counted, nowMs)
      const max = counted === 'codes' ? codesAnHour : codesAnHour * MAX_ATTEMPTS
      const hour = buckets(`${counted} of phone ${phone}, ${max}`, { burst: max, perSecond: 0 }, nowMs)
      consumeForHour(counted, hour, max, nowMs)
      // The overall limit protects couriers' codes and what their SMS cost. Any other phone has neither, and could use up
      // the limit for every courier. While nothing is left, all phones are refused alike, so the 429 does not reveal
      // whether a courier has the phone.
      const taken = homes.length > 0 && isTexted ? 1 : 0
      // Last, so that a client over its own limit takes nothing from the overall limit.
      ofAll[counted].tokens -= taken
      return () => {
        hour.tokens = Math.min(max, hour.tokens + 1)
        ofAll[counted].tokens += taken
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
