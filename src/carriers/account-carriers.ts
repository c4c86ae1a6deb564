import { LRUCache } from 'lru-cache'
import type { Account, CarrierAccount } from '../domain/account/account.ts'
import type { Tracer } from '../observability/tracing/span.ts'
import type { Adapter, AdapterContext, CourierMailPort } from './port/adapter.ts'
import type { Carrier } from './port/carrier.ts'
import type { CarrierRequest, Send } from './port/send.ts'
import type { TokenCache } from './port/token-cache.ts'
import { ADAPTERS } from './registry.ts'
import { type SandboxState, sandboxCredentials, sandboxSend } from './sandbox/sandbox-state.ts'
import type { Outbound } from './wire/http-send.ts'
import { type CarrierCall, DEFAULT_TIMEOUT_MS, ResilienceSettings, resilientWire } from './wire/resilience.ts'
import { tracedCarrier } from './wire/traced-carrier.ts'
import { withSpan } from './wire/with-span.ts'

export type AccountCarriersDeps = {
  sandbox: SandboxState
  secretKey: string
  /** HTTP connection to real carriers. */
  outbound: Outbound
  /**
   * The shared OAuth token cache of one carrier of one account. A token only belongs to the credentials and
   * settings in `signsInWith`.
   */
  tokensOf?(accountId: string, provider: string, signsInWith: string): TokenCache
  /** The mail port for a courier without an API. */
  mailPortOf(account: Pick<Account, 'id' | 'mode'>, carrier: CarrierAccount): CourierMailPort
  wallMs(): number
  report(accountId: string, provider: string, call: CarrierCall): void
  /** Called when the circuit breaker of an account's carrier opens or closes. */
  breaker?(carrier: BreakerOf, open: boolean): void
  /** Absent: no traces. */
  tracer?: Tracer | undefined
}

export type BreakerOf = { accountId: string; provider: string; adapter: string }

/** In memory, the most recently used. A carrier that was not used for so long starts with a closed circuit breaker. */
const MAX_CARRIERS = 5_000

type AccountRef = Pick<Account, 'id' | 'mode'>
/** An account's stored secret with its current value, or null. */
type SecretOf = (name: string) => string | null

/**
 * Builds and caches the carriers of each account. Each carrier has its own resilient `Send`, which outlives
 * new versions of the account document: the concurrency limit, circuit breaker and token stay while settings
 * and credentials stay the same. A changed secret rebuilds the carrier. Null: no adapter has that name, or a
 * live account names a sandbox carrier.
 */
export function accountCarriers(deps: AccountCarriersDeps) {
  const { tracer } = deps
  const cache = new LRUCache<string, { builtFrom: string; carrier: Carrier }>({ max: MAX_CARRIERS })

  return (account: AccountRef, carrier: CarrierAccount, secretOf: SecretOf): Carrier | null => {
    const adapter = ADAPTERS.get(carrier.adapter)
    if (!adapter || (!adapter.live && !adapter.usesMail && account.mode !== 'sandbox')) return null
    if (adapter.usesMail) return makeMailCarrier(adapter, account, carrier)
    const credentials = credentialsOf(deps, account, carrier, adapter, secretOf)

    const key = JSON.stringify([account.id, carrier.provider])
    const { adapter: name, settings, environment, baseUrl } = carrier
    const names = { provider: carrier.provider, adapter: name }
    const breakerOf = { accountId: account.id, ...names }
    const signsInWith = JSON.stringify([name, environment, baseUrl, credentials])
    const builtFrom = JSON.stringify([settings, signsInWith])
    const cached = cache.get(key)
    if (cached?.builtFrom === builtFrom) return cached.carrier

    const wire = ResilienceSettings.parse(settings)
    const urls = urlsOf(carrier, adapter)
    const missing = adapter.live?.credentials.find((name) => !Object.hasOwn(credentials, name))
    const unlimitedSend = missing
      ? unsigned(carrier, missing)
      : wireOf(deps, account, carrier, urls, wire.timeout_ms)
    const send = resilientWire(unlimitedSend, {
      settings: wire,
      mode: adapter.live ? 'live' : account.mode,
      report: (call) => deps.report(account.id, carrier.provider, call),
      onBreakerChange: (open) => deps.breaker?.(breakerOf, open),
      span: tracer && ((send) => withSpan(send, tracer, { ...names, serverOf: serverIn(urls) })),
    })
    const tokens = deps.tokensOf?.(account.id, carrier.provider, signsInWith)
    const access: AdapterContext = { send, credentials, settings, environment, tokens, wallMs: deps.wallMs }
    const untraced = lengthenSettleTime(adapter.make(access), wire.timeout_ms)
    const fresh = tracer ? tracedCarrier(untraced, tracer, names) : untraced
    cache.set(key, { builtFrom, carrier: fresh })
    deps.breaker?.(breakerOf, false)
    return fresh
  }

  /** A carrier that gets its work by email. It keeps no state between calls, so it isn't cached. */
  function makeMailCarrier(adapter: Adapter, account: AccountRef, carrier: CarrierAccount): Carrier {
    const { settings, provider, adapter: name } = carrier
    const mailPort = deps.mailPortOf(account, carrier)
    const untraced = adapter.make({ send: NO_WIRE, credentials: {}, settings, mailPort, wallMs: deps.wallMs })
    return tracer ? tracedCarrier(untraced, tracer, { provider, adapter: name }) : untraced
  }
}

/**
 * The settle time starts when we send the request and allows for the default time-out. If the carrier's time-out is
 * longer, this lengthens the settle time by the difference.
 */
function lengthenSettleTime(carrier: Carrier, timeoutMs: number): Carrier {
  const { recovery } = carrier
  const longerMs = timeoutMs - DEFAULT_TIMEOUT_MS
  if (recovery.kind !== 'look_up' || longerMs <= 0) return carrier
  return { ...carrier, recovery: { ...recovery, settleMs: recovery.settleMs + longerMs } }
}

const NO_WIRE: Send = async () => ({ kind: 'not_sent', message: 'it has no interface' })

function credentialsOf(
  deps: AccountCarriersDeps,
  account: AccountRef,
  carrier: CarrierAccount,
  { live }: Adapter,
  secretOf: SecretOf,
): Record<string, string> {
  if (!live) return sandboxCredentials(deps.secretKey, account.id, carrier.adapter)
  const entries = Object.entries(carrier.credentials).flatMap(([name, secretName]) => {
    const secret = secretOf(secretName)
    return secret === null ? [] : [[name, secret] as const]
  })
  return Object.fromEntries(entries)
}

/** A carrier whose credentials are missing counts as unreachable: its work waits, and no work is given up. */
function unsigned({ provider, credentials: named }: CarrierAccount, missing: string): Send {
  const name = named[missing]
  const message = name
    ? `the secret ${name} of ${provider} is not stored`
    : `the account names no credential ${missing} for ${provider}`
  return async () => ({ kind: 'not_sent', message })
}

function wireOf(
  { outbound, sandbox }: AccountCarriersDeps,
  account: AccountRef,
  { adapter: name }: CarrierAccount,
  urls: Urls | null,
  timeoutMs: number,
): Send {
  return urls ? outbound.to(urls, timeoutMs) : sandboxSend(sandbox, account.id, name)
}

type Urls = Readonly<Record<string, string>>

/** The carrier's base URLs by name; null: the carrier runs in the sandbox. */
function urlsOf({ environment, baseUrl }: CarrierAccount, { live }: Adapter): Urls | null {
  if (!live) return null
  const urls = Object.entries(live.urls[environment]).map(([at, url]) => [at, moved(url, baseUrl)])
  return Object.fromEntries(urls)
}

/**
 * The host that a request goes to. A URL that the carrier gave us, such as a label's, may be on another host.
 */
function serverIn(urls: Urls | null): (request: CarrierRequest) => string | undefined {
  if (!urls) return () => 'sandbox'
  return ({ path, at = 'api' }) => URL.parse(path)?.hostname ?? URL.parse(urls[at] ?? '')?.hostname
}

/** Replaces the scheme, host and port of each URL with those of `base_url`; the paths stay the same. */
function moved(url: string, baseUrl: string | null): string {
  return baseUrl === null ? url : url.replace(/^https?:\/\/[^/]+/, baseUrl.replace(/\/+$/, ''))
}
