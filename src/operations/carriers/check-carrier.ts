import type { Carrier } from '../../carriers/port/carrier.ts'
import { ADAPTERS } from '../../carriers/registry.ts'
import { settingsSentences } from '../../carriers/settings-schemas.ts'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import { CarrierDocument } from '../../domain/account/document/document-carrier.ts'
import { toIssue } from '../../domain/account/validation/mistake.ts'
import { shapeMistakes } from '../../domain/account/validation/shape-mistakes.ts'
import { Refusal } from '../../domain/errors.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type ChannelFault, mailFault } from '../directory/carriers-not-set-up.ts'
import { findCarrier } from '../directory/find-carrier.ts'

/** Whether a carrier accepts calls with the account's settings; `message` is one sentence or more. */
export type CarrierCheck = { provider: string; name: string; ok: boolean; message: string }

/**
 * Sends a carrier the cheapest request that needs our credentials, and explains what is wrong. Refuses
 * `not_found` for a provider that the account doesn't have.
 */
export async function checkCarrier(
  deps: CheckDeps,
  { account, secretOf, unreadableSecrets }: CheckedEntry,
  provider: string,
): Promise<CarrierCheck> {
  const carrier = account.carrierByProvider.get(provider)
  if (!carrier) {
    const known = account.carriers.map((one) => one.provider).join(', ')
    throw new Refusal(
      'not_found',
      `Account ${account.id} has no carrier ${provider}; it has ${known || 'none'}.`,
    )
  }
  const wrongs = [
    ...setUpMistakes(account, carrier, { secretOf, unreadableSecrets }),
    ...faultsOfChannels(deps, account).flatMap((fault) =>
      fault.provider === provider ? `${fault.message} ${fault.remedy}` : [],
    ),
  ]
  return checked(carrier, wrongs, async () =>
    ask(await findCarrier(deps, account.id, provider), account, carrier),
  )
}

/** The parts of a carrier that its sign-in depends on. */
const Draft = CarrierDocument.pick({
  provider: true,
  adapter: true,
  credentials: true,
  settings: true,
  environment: true,
  base_url: true,
})
  .extend({ name: CarrierDocument.shape.name.optional() })
  .strip()

/**
 * The same for a carrier of a document that is not applied yet. Its services do not matter. Refuses `invalid_request`
 * if the carrier has no valid form.
 */
export async function checkDraftCarrier(
  deps: Pick<Deps, 'draftCarrierOf'>,
  { account, secretOf, unreadableSecrets }: CheckedEntry,
  draft: unknown,
): Promise<CarrierCheck> {
  const { data, error } = Draft.safeParse(draft)
  if (!data) refuse(shapeMistakes(Draft, draft, error?.issues ?? []).map(toIssue))
  const { provider, adapter = provider, name = provider, credentials, settings, environment, base_url } = data
  const carrier: CarrierAccount = {
    ...{ provider, adapter, name, settings, services: [] },
    credentials: Object.fromEntries(Object.entries(credentials).map(([key, { secret }]) => [key, secret])),
    environment: environment ?? (account.mode === 'live' ? 'production' : 'sandbox'),
    baseUrl: base_url ?? null,
  }
  const wrongs = setUpMistakes(account, carrier, { secretOf, unreadableSecrets })
  return checked(carrier, wrongs, () =>
    ask(deps.draftCarrierOf({ account, secretOf }, carrier), account, carrier),
  )
}

/** The carrier is asked only if nothing is wrong on our side. */
async function checked(
  { provider, name }: CarrierAccount,
  wrongs: readonly string[],
  askCarrier: () => Promise<Pick<CarrierCheck, 'ok' | 'message'>>,
): Promise<CarrierCheck> {
  const { ok, message } = wrongs.length > 0 ? { ok: false, message: wrongs.join(' ') } : await askCarrier()
  return { provider, name, ok, message }
}

/** All carriers of an account, in its order; at the end its own couriers, if something that they need is missing. */
export async function checkCarriers(deps: CheckDeps, entry: CheckedEntry): Promise<CarrierCheck[]> {
  const { account } = entry
  const carriers = account.carriers.map(({ provider }) => checkCarrier(deps, entry, provider))
  const others = faultsOfChannels(deps, account).filter(
    ({ provider }) => !account.carrierByProvider.has(provider),
  )
  return [
    ...(await Promise.all(carriers)),
    ...others.map(({ provider, name, message, remedy }) => ({
      provider,
      name,
      ok: false,
      message: `${message} ${remedy}`,
    })),
  ]
}

type CheckDeps = Pick<Deps, 'accounts' | 'carrierOf' | 'notifier'>
type CheckedEntry = Pick<AccountEntry, 'account' | 'secretOf' | 'unreadableSecrets'>

function faultsOfChannels({ notifier }: CheckDeps, account: Account): ChannelFault[] {
  return channelFaults(account, { hasSmtp: notifier.email !== null, hasSms: notifier.sms !== null })
}

/** Set-up problems that show without calling the carrier. */
function setUpMistakes(
  { id }: Account,
  { adapter: name, credentials, settings }: CarrierAccount,
  { secretOf, unreadableSecrets }: Pick<CheckedEntry, 'secretOf' | 'unreadableSecrets'>,
): string[] {
  const adapter = ADAPTERS.get(name)
  if (!adapter) return [`There is no adapter ${name}.`]
  const { live, usesMail } = adapter
  const ofSettings = settingsSentences(name, settings)
  if (usesMail || !live) return ofSettings
  const unnamed = live.credentials.filter((one) => !Object.hasOwn(credentials, one))
  const absent = Object.values(credentials).filter((secret) => secretOf(secret) === null)
  return [
    ...ofSettings,
    ...unnamed.map(
      (one) => `The account names no credential ${one}: credentials: { ${one}: { secret: … } }.`,
    ),
    ...absent.map((secret) =>
      unreadableSecrets.has(secret)
        ? `The secret ${secret} was encrypted with another secret key: set DROVER_SECRET_KEY to that key, or add it to DROVER_OLD_SECRET_KEYS.`
        : `The secret ${secret} is not stored: drover secret set ${secret} --account ${id} < file.`,
    ),
  ]
}

async function ask(
  carrier: Carrier | null,
  { mode }: Account,
  { name, adapter, environment }: CarrierAccount,
): Promise<Pick<CarrierCheck, 'ok' | 'message'>> {
  if (!carrier)
    return { ok: false, message: `${name} is a practice carrier, so it books nothing for a ${mode} account.` }
  if (!carrier.check) return { ok: true, message: `${name} needs no login.` }
  const outcome = await carrier.check()
  if (outcome.kind === 'yes') {
    const { toArrange } = ADAPTERS.get(adapter)?.live ?? {}
    const message = [
      `Logged in to ${name} (${environment}): ${outcome.value}.`,
      ...(toArrange ? [toArrange] : []),
    ].join(' ')
    return { ok: true, message }
  }
  const message =
    outcome.kind === 'no' && outcome.retry !== 'later'
      ? `${name} rejected our login`
      : `Our login to ${name} failed`
  return { ok: false, message: `${message} (${environment}): ${outcome.message.replace(/\.$/, '')}.` }
}

/** Which channels this process has. */
export type Channels = { hasSmtp: boolean; hasSms: boolean }

/** The channels that a live account needs and this process lacks: mail for couriers, SMS for its own couriers. */
export function channelFaults(account: Account, channels: Channels): ChannelFault[] {
  if (account.mode === 'sandbox') return []
  const couriers = account.carriers.flatMap((carrier) => mailFault(carrier, channels) ?? [])
  const hasOwnCouriers = account.stores.some(({ staffCouriers }) => staffCouriers.length > 0)
  if (!hasOwnCouriers || channels.hasSms) return couriers
  return [...couriers, OWN_COURIERS]
}

const OWN_COURIERS: ChannelFault = {
  provider: 'staff_couriers',
  name: 'Staff couriers',
  message:
    'Staff couriers cannot log in to the driver app: Drover sends login codes by SMS, and no SMS gateway is set.',
  remedy: 'Set SMS_URL, as docs/guides/messages.md describes.',
}
