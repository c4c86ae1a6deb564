import type { Account, CarrierAccount } from '../domain/account/account.ts'
import type { Carrier } from './carrier.ts'
import { ADAPTERS } from './registry.ts'
import { sandboxCredentials } from './sandbox/credentials.ts'
import { type SandboxWorld, sandboxSend } from './sandbox/world.ts'
import { guardedWire, WireSettings } from './wire.ts'
import type { CarrierCall } from './with-report.ts'

export type AccountCarriersDeps = {
  sandbox: SandboxWorld
  secretKey: string
  wallMs(): number
  report(accountId: string, provider: string, call: CarrierCall): void
}

/**
 * The carriers of accounts, each with a guarded wire of its own that outlives new versions of the account
 * document: places and breaker keep their count while the wire's settings stay the same.
 * Null: no adapter of that name, or a live account, for which no adapter has a wire yet.
 */
export function accountCarriers(deps: AccountCarriersDeps) {
  const made = new Map<string, { settings: string; carrier: Carrier }>()

  return (account: Pick<Account, 'id' | 'mode'>, carrier: CarrierAccount): Carrier | null => {
    const adapter = ADAPTERS.get(carrier.adapter)
    if (!adapter || account.mode !== 'sandbox') return null

    const key = JSON.stringify([account.id, carrier.provider])
    const settings = JSON.stringify([carrier.adapter, carrier.settings])
    const known = made.get(key)
    if (known?.settings === settings) return known.carrier

    const send = guardedWire(sandboxSend(deps.sandbox, account.id, carrier.adapter), {
      settings: WireSettings.parse(carrier.settings),
      mode: account.mode,
      wallMs: deps.wallMs,
      report: (call) => deps.report(account.id, carrier.provider, call),
    })
    const credentials = sandboxCredentials(deps.secretKey, account.id, carrier.adapter)
    const fresh = adapter({ send, credentials, wallMs: deps.wallMs })
    made.set(key, { settings, carrier: fresh })
    return fresh
  }
}
