import { DOORDASH_KEY } from '../../fakes/doordash/start-doordash.ts'
import { UBER_CLIENT } from '../../fakes/uber-direct/start-uber-direct.ts'
import { type FakeEntry, type FakeProcess, startFakeProcess } from '../fake-process.ts'
import { type CleanUps, owned } from './clean-ups.ts'
import {
  auspostEntries,
  auspostOrders,
  courierEndings,
  doordashEntries,
  uberEntries,
  unlistedKeys,
} from './ledger.ts'

export const NETWORKS = ['auspost', 'uber_direct', 'doordash'] as const
export type NetworkName = (typeof NETWORKS)[number]
/** Carriers as `drover fake` ships them: separate processes with ledgers that no other process can write. */
export type Networks = Readonly<Record<NetworkName, FakeProcess>>

export async function startNetworks(
  cleanUps: CleanUps,
  optionsOf: (name: NetworkName) => readonly string[],
): Promise<Networks> {
  const started: Partial<Record<NetworkName, FakeProcess>> = {}
  for (const name of NETWORKS) {
    const fake = await startFakeProcess(name.replace('_', '-'), optionsOf(name))
    started[name] = owned(cleanUps, fake)
  }
  return started as Networks
}

/** The carriers' whole ledgers so far; each call fetches only the new entries. */
export function ledgersReader(networks: Networks) {
  const ledgers: Record<NetworkName, FakeEntry[]> = { auspost: [], uber_direct: [], doordash: [] }
  return async (): Promise<Readonly<Record<NetworkName, readonly FakeEntry[]>>> => {
    for (const name of NETWORKS) ledgers[name].push(...(await networks[name].updates()))
    return ledgers
  }
}

/** The ledgers in the form of the checks. `providerOf`: whose contract has an account number of Australia Post. */
export function toEvidence(
  { auspost, uber_direct: uberDirect, doordash }: Readonly<Record<NetworkName, readonly FakeEntry[]>>,
  providerOf: (accountNumber: string) => string,
) {
  return {
    ledgerEntries: [
      ...auspostEntries(auspost, providerOf),
      ...uberEntries(uberDirect),
      ...doordashEntries(doordash),
    ],
    orders: auspostOrders(auspost, providerOf),
    endings: courierEndings({ uberDirect, doordash }),
    unlisted: unlistedKeys(auspost),
  }
}

const UBER_SIGNING_KEY = 'whole signing key'
const DOORDASH_AUTHORIZATION = 'Basic aGFybmVzczpoYXJuZXNz'

/** Names of secrets, and their values at the fakes. */
export const SECRETS: Readonly<Record<string, string>> = {
  'auspost-key': 'fake-key',
  'auspost-password': 'fake-password',
  'uber-customer': UBER_CLIENT.customerId,
  'uber-client': UBER_CLIENT.clientId,
  'uber-secret': UBER_CLIENT.clientSecret,
  'uber-signing': UBER_SIGNING_KEY,
  'doordash-developer': DOORDASH_KEY.developerId,
  'doordash-key': DOORDASH_KEY.keyId,
  'doordash-secret': DOORDASH_KEY.signingSecret,
  'doordash-webhook': DOORDASH_AUTHORIZATION,
}

export const secret = (name: string) => ({ secret: name })

const CARRIERS = {
  auspost: {
    name: 'Australia Post',
    credentials: { api_key: secret('auspost-key'), password: secret('auspost-password') },
  },
  uber_direct: {
    name: 'Uber Direct',
    credentials: {
      customer_id: secret('uber-customer'),
      client_id: secret('uber-client'),
      client_secret: secret('uber-secret'),
      webhook_signing_key: secret('uber-signing'),
    },
  },
  doordash: {
    name: 'DoorDash',
    credentials: {
      developer_id: secret('doordash-developer'),
      key_id: secret('doordash-key'),
      signing_secret: secret('doordash-secret'),
      webhook_authorization: secret('doordash-webhook'),
    },
  },
} as const

/** A carrier of an account's document, at the address of its fake; `more` overrides. */
export function carrierDocument<More extends object>(network: NetworkName, base_url: string, more: More) {
  return { provider: network, adapter: network, base_url, ...CARRIERS[network], ...more }
}

/** From now on this courier's webhooks go to the account. */
export async function registerWebhooks(
  networks: Networks,
  name: 'uber_direct' | 'doordash',
  apiUrl: string,
  accountId: string,
): Promise<void> {
  await networks[name].control('POST', '/webhooks', {
    url: `${apiUrl}/carriers/${name}/${accountId}/webhooks`,
    ...(name === 'doordash'
      ? { auth: { header: DOORDASH_AUTHORIZATION } }
      : { signing_key: UBER_SIGNING_KEY, kinds: ['event.delivery_status'] }),
  })
}
