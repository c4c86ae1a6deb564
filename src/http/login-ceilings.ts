import { type Bucket, bucketsOf, type Limit, take, tooMany } from './rate-limit.ts'

/** Per process. The database holds each phone to 5 codes an hour and 5 tries a code for all processes. */
const EACH = {
  codesOfPhone: { burst: 5, perSecond: 5 / 3600 },
  codesOfAddress: { burst: 100, perSecond: 100 / 3600 },
  // Wrong ones only. With 10,000 couriers and all codes open, 1,000 guesses an hour find one code in 1,000 hours.
  guessesOfPhone: { burst: 10, perSecond: 25 / 3600 },
  guessesOfAddress: { burst: 50, perSecond: 50 / 3600 },
} as const satisfies Record<string, Limit>
const OF_ALL = {
  codes: { burst: 1_000, perSecond: 1_000 / 3600 },
  guesses: { burst: 500, perSecond: 500 / 3600 },
} as const satisfies Record<string, Limit>

type What = keyof typeof OF_ALL
const MOST_NAMES = 100_000

/** How many codes may be asked for and guessed, by one phone, by one address, and by everybody. */
export type LoginCeilings = {
  /** Takes one of each, or refuses `rate_limited`. What is not to count is given back to the buckets. */
  spend(what: What, from: { ip: string; phone: string }, nowMs: number): Bucket[]
}

export function loginCeilings(nowMs: number, mostNames = MOST_NAMES): LoginCeilings {
  const buckets = bucketsOf(mostNames)
  // Apart from those that go when there are too many names: whoever has 100,000 addresses would be let in anew.
  const ofAll = { codes: full(OF_ALL.codes, nowMs), guesses: full(OF_ALL.guesses, nowMs) }
  return {
    spend(what, { ip, phone }, nowMs) {
      const spend = (bucket: Bucket, limit: Limit): Bucket => {
        const wait = take(bucket, limit, nowMs)
        if (wait > 0) throw tooMany(wait, what === 'codes' ? 'codes' : 'wrong codes')
        return bucket
      }
      const each = (ceiling: keyof typeof EACH, name: string): Bucket =>
        spend(buckets(`${ceiling} ${name}`, EACH[ceiling], nowMs), EACH[ceiling])
      // An address that is through with its own takes nothing of everybody's.
      return [each(`${what}OfAddress`, ip), each(`${what}OfPhone`, phone), spend(ofAll[what], OF_ALL[what])]
    },
  }
}

function full({ burst }: Limit, nowMs: number): Bucket {
  return { tokens: burst, atMs: nowMs }
}
