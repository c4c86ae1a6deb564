import type { Account, CarrierAccount } from '../domain/account/account.ts'
import type { CarrierAccess } from './access.ts'
import type { Carrier } from './carrier.ts'
import { ADAPTERS } from './registry.ts'
import { guardedWire, WireSettings } from './wire.ts'
import type { CarrierCall } from './with-report.ts'

export type DeskDeps = {
  accountOf(accountId: string): Account | null
  /** The unguarded wire of one account to one carrier, and what it signs in with there. */
  access(account: Account, carrier: CarrierAccount): Pick<CarrierAccess, 'send' | 'credentials'>
  wallMs(): number
  report(call: CarrierCall): void
}

/**
 * Where an account's provider key becomes a carrier to talk to. A carrier lives as long as its part of the
 * document, so that its breaker and its line are shared by everybody who asks.
 */
export function carrierDesk(deps: DeskDeps): (accountId: string, provider: string) => Carrier | null {
  const made = new Map<string, { document: string; carrier: Carrier }>()
  return (accountId, provider) => {
    const account = deps.accountOf(accountId)
    const carrierAccount = account?.carrierByProvider.get(provider)
    if (!account || !carrierAccount) return null
    const key = `${accountId}/${provider}`
    const document = JSON.stringify([
      carrierAccount.adapter,
      carrierAccount.credentials,
      carrierAccount.settings,
      account.mode,
    ])
    const known = made.get(key)
    if (known?.document === document) return known.carrier

    const carrier = makeCarrier(deps, account, carrierAccount)
    if (carrier) made.set(key, { document, carrier })
    return carrier
  }
}

function makeCarrier(deps: DeskDeps, account: Account, carrierAccount: CarrierAccount): Carrier | null {
  const make = ADAPTERS.get(carrierAccount.adapter)
  if (!make) return null
  const { send, credentials } = deps.access(account, carrierAccount)
  const guarded = guardedWire(send, {
    settings: WireSettings.parse(carrierAccount.settings),
    mode: account.mode,
    wallMs: deps.wallMs,
    report: deps.report,
  })
  return make({ send: guarded, credentials, wallMs: deps.wallMs })
}
