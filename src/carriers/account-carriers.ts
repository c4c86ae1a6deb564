import type { Account, CarrierAccount } from '../domain/account/account.ts'
import type { Tracer } from '../observability/tracing/span.ts'
import type { Adapter } from './port/adapter.ts'
import type { AdapterContext } from './port/adapter-context.ts'
import type { Carrier } from './port/carrier.ts'
import type { CourierMailPort } from './port/courier-mail.ts'
import type { CarrierRequest, Send } from './port/send.ts'
import type { TokenCache } from './port/token-cache.ts'
import { ADAPTERS } from './registry.ts'
import { sandboxCredentials } from './sandbox/engine/credentials.ts'
import { type SandboxWorld, sandboxSend } from './sandbox/world.ts'
import type { Outbound } from './wire/http-send.ts'
import { ResilienceSettings, resilientWire } from './wire/resilience.ts'
import { tracedCarrier } from './wire/traced-carrier.ts'
import type { CarrierCall } from './wire/with-metrics.ts'
import { withSpan } from './wire/with-span.ts'

export type AccountCarriersDeps = {
  sandbox: SandboxWorld
  secretKey: string
  /** The way to real carriers. */
  outbound: Outbound
  /** An account's stored secret as it is now, or null. */
  secretOf(accountId: string, name: string): string | null
  /** Where one account's carrier finds the sign-in that other processes have; `signsInWith` is all that it goes with. */
  tokensOf?(accountId: string, provider: string, signsInWith: string): TokenCache
  /** How a courier without an interface is told. */
  deskOf(account: Pick<Account, 'id' | 'mode'>, carrier: CarrierAccount): CourierMailPort
  wallMs(): number
  report(accountId: string, provider: string, call: CarrierCall): void
  /** Hears whether an account's carrier is left in peace after failures. */
  breaker?(carrier: BreakerOf, open: boolean): void
  /** Absent: without traces. */
  tracer?: Tracer | undefined
}

export type BreakerOf = { accountId: string; provider: string; adapter: string }

type Asked = Pick<Account, 'id' | 'mode'>

/**
 * The carriers of accounts, each with a guarded wire of its own that outlives new versions of the account
 * document: places, breaker and sign-in keep while settings and credentials stay the same; a changed secret makes
 * the carrier anew. Null: no adapter of that name, or a sandbox carrier on a live account.
 */
export function accountCarriers(deps: AccountCarriersDeps) {
  const { tracer } = deps
  const made = new Map<string, { made: string; carrier: Carrier }>()

  return (account: Asked, carrier: CarrierAccount): Carrier | null => {
    const adapter = ADAPTERS.get(carrier.adapter)
    if (!adapter || (!adapter.live && !adapter.desk && account.mode !== 'sandbox')) return null
    if (adapter.desk) return told(adapter, account, carrier)
    const credentials = credentialsOf(deps, account, carrier, adapter)

    const key = JSON.stringify([account.id, carrier.provider])
    const { adapter: name, settings, environment, baseUrl } = carrier
    const names = { provider: carrier.provider, adapter: name }
    const breakerOf = { accountId: account.id, ...names }
    const signsInWith = JSON.stringify([name, environment, baseUrl, credentials])
    const madeOf = JSON.stringify([settings, signsInWith])
    const known = made.get(key)
    if (known?.made === madeOf) return known.carrier

    const wire = ResilienceSettings.parse(settings)
    const urls = urlsOf(carrier, adapter)
    const missing = adapter.live?.credentials.find((name) => !Object.hasOwn(credentials, name))
    const way = missing ? unsigned(carrier, missing) : wireOf(deps, account, carrier, urls, wire.timeout_ms)
    const send = resilientWire(way, {
      settings: wire,
      mode: adapter.live ? 'live' : account.mode,
      wallMs: deps.wallMs,
      report: (call) => deps.report(account.id, carrier.provider, call),
      told: (open) => deps.breaker?.(breakerOf, open),
      span: tracer && ((send) => withSpan(send, tracer, { ...names, serverOf: serverIn(urls) })),
    })
    const tokens = deps.tokensOf?.(account.id, carrier.provider, signsInWith)
    const access: AdapterContext = { send, credentials, settings, environment, tokens, wallMs: deps.wallMs }
    const asMade = adapter.make(access)
    const fresh = tracer ? tracedCarrier(asMade, tracer, names) : asMade
    made.set(key, { made: madeOf, carrier: fresh })
    deps.breaker?.(breakerOf, false)
    return fresh
  }

  /** Nothing is kept between two calls of it. */
  function told(adapter: Adapter, account: Asked, carrier: CarrierAccount): Carrier {
    const { settings, provider, adapter: name } = carrier
    const desk = deps.deskOf(account, carrier)
    const made = adapter.make({ send: NO_WIRE, credentials: {}, settings, desk, wallMs: deps.wallMs })
    return tracer ? tracedCarrier(made, tracer, { provider, adapter: name }) : made
  }
}

const NO_WIRE: Send = async () => ({ kind: 'not_sent', said: 'it has no interface' })

function credentialsOf(
  deps: AccountCarriersDeps,
  account: Asked,
  carrier: CarrierAccount,
  { live }: Adapter,
): Record<string, string> {
  if (!live) return sandboxCredentials(deps.secretKey, account.id, carrier.adapter)
  const found = Object.entries(carrier.credentials).flatMap(([name, secretName]) => {
    const secret = deps.secretOf(account.id, secretName)
    return secret === null ? [] : [[name, secret] as const]
  })
  return Object.fromEntries(found)
}

/** A carrier that cannot sign in yet is one that cannot be reached: work waits for it, nothing is given up. */
function unsigned({ provider, credentials: named }: CarrierAccount, missing: string): Send {
  const name = named[missing]
  const said = name
    ? `the secret ${name} of ${provider} is not stored`
    : `the account names no credential ${missing} for ${provider}`
  return async () => ({ kind: 'not_sent', said })
}

function wireOf(
  { outbound, sandbox }: AccountCarriersDeps,
  account: Asked,
  { adapter: name }: CarrierAccount,
  urls: Urls | null,
  timeoutMs: number,
): Send {
  return urls ? outbound.to(urls, timeoutMs) : sandboxSend(sandbox, account.id, name)
}

type Urls = Readonly<Record<string, string>>

/** Its addresses by name; null: it lives in the sandbox. */
function urlsOf({ environment, baseUrl }: CarrierAccount, { live }: Adapter): Urls | null {
  if (!live) return null
  const urls = Object.entries(live.urls[environment]).map(([at, url]) => [at, moved(url, baseUrl)])
  return Object.fromEntries(urls)
}

/** Which server a request goes to: what the carrier told us to fetch may lie at another one of its. */
function serverIn(urls: Urls | null): (request: CarrierRequest) => string | undefined {
  if (!urls) return () => 'sandbox'
  return ({ path, at = 'api' }) => URL.parse(path)?.hostname ?? URL.parse(urls[at] ?? '')?.hostname
}

/** The same paths at another address: `base_url` stands for the scheme, host and port of all of them. */
function moved(url: string, baseUrl: string | null): string {
  return baseUrl === null ? url : url.replace(/^https?:\/\/[^/]+/, baseUrl.replace(/\/+$/, ''))
}
