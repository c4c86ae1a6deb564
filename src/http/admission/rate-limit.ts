import ipaddr from 'ipaddr.js'
import { Refusal } from '../../domain/errors.ts'

/**
 * Rate limit (token bucket): `burst` requests at once, refilled at `perSecond`. Buckets belong to a process;
 * `usage-gossip.ts` makes those of callers hold for all processes together.
 */
export type Bucket = { tokens: number; atMs: number; taken?(tokens: number): void }

export type Limit = { perSecond: number; burst: number }

/** Takes the tokens that the request costs, or returns the seconds until they are available. */
export function take(bucket: Bucket, { perSecond, burst }: Limit, nowMs: number, cost = 1): number {
  const price = Math.min(cost, burst)
  refill(bucket, { perSecond, burst }, nowMs)
  if (bucket.tokens < price) return Math.max(1, Math.ceil((price - bucket.tokens) / perSecond))
  bucket.tokens -= price
  bucket.taken?.(price)
  return 0
}

/** Takes up to `cost` of the tokens that are there. */
export function takeAvailable(bucket: Bucket, cost: number): void {
  const price = Math.min(cost, Math.max(0, bucket.tokens))
  bucket.tokens -= price
  bucket.taken?.(price)
}

/** Bursts that a bucket may be short of. Twenty processes at once admit no more before they hear of each other. */
const MAX_DEBT = 20

/** Takes what another process admitted, below zero if need be. */
export function takeElsewhere(bucket: Bucket, limit: Limit, nowMs: number, tokens: number): void {
  refill(bucket, limit, nowMs)
  bucket.tokens = Math.max(-MAX_DEBT * limit.burst, bucket.tokens - tokens)
}

function refill(bucket: Bucket, { perSecond, burst }: Limit, nowMs: number): void {
  const elapsed = Math.max(0, nowMs - bucket.atMs)
  bucket.tokens = Math.min(burst, bucket.tokens + (elapsed * perSecond) / 1000)
  bucket.atMs = nowMs
}

/**
 * Buckets by name. Beyond `max`, the oldest are evicted: an evicted bucket starts again full. `taken` hears what is taken
 * from each.
 */
export function makeBuckets(
  max: number,
  taken?: (name: string, tokens: number) => void,
): (name: string, limit: Limit, nowMs: number) => Bucket {
  const buckets = new Map<string, Bucket>()
  return (name, limit, nowMs) => {
    const known = buckets.get(name)
    if (known) return known
    if (buckets.size >= max) buckets.delete(buckets.keys().next().value as string)
    const bucket: Bucket = { tokens: limit.burst, atMs: nowMs }
    if (taken) bucket.taken = (tokens) => taken(name, tokens)
    buckets.set(name, bucket)
    return bucket
  }
}

/** `RateLimit` and `RateLimit-Policy` of the IETF draft: the burst over the seconds in which it refills. */
export function allowanceHeaders(bucket: Bucket, { perSecond, burst }: Limit): string[] {
  const left = Math.max(0, Math.floor(bucket.tokens))
  return [
    'ratelimit-policy',
    `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`,
    'ratelimit',
    `"default";r=${left};t=${Math.ceil((burst - Math.min(left, bucket.tokens)) / perSecond)}`,
  ]
}

export function tooMany(seconds: number, what: string): Refusal {
  return new Refusal('rate_limited', `Too many ${what}. Try again in ${seconds} s.`, {
    details: { retry_after_seconds: seconds },
  })
}

/**
 * Rate-limit key: the IPv4 address in canonical form, or the /64 prefix for IPv6 because one client controls the whole
 * prefix (RFC 6177). Text that is not an address is used as it is.
 */
export function rateLimitKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  // IPv4-only clients behind a NAT64 translator (RFC 6052) all share one prefix, so the IPv4 address inside is the key.
  if (address.range() === 'rfc6052') return ipaddr.fromByteArray(address.toByteArray().slice(12)).toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
