import { ADAPTERS } from '../../carriers/registry.ts'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import type { AccountEntry } from './account-directory.ts'

/** Why this installation cannot book a carrier, as a sentence. `isCurable`: the operator can supply what is missing. */
export type CarrierNotSetUp = { detail: string; isCurable: boolean }

type SetUp = Pick<AccountEntry, 'removedCarriers' | 'secretOf' | 'unreadableSecrets'> & { hasSmtp: boolean }

/** The carriers of a live account that this installation cannot book, by provider. Calls no carrier. */
export function carriersNotSetUp(account: Account, setUp: SetUp): ReadonlyMap<string, CarrierNotSetUp> {
  const missing = new Map<string, CarrierNotSetUp>()
  if (account.mode === 'sandbox') return missing
  for (const carrier of [...account.carriers, ...setUp.removedCarriers.values()]) {
    const mail = mailFault(carrier, setUp)
    const fault = mail
      ? { detail: mail.message, isCurable: true }
      : (connectionFault(carrier) ?? credentialFault(carrier, setUp))
    if (fault) missing.set(carrier.provider, fault)
  }
  return missing
}

function connectionFault({ adapter: key, name }: CarrierAccount): CarrierNotSetUp | null {
  const adapter = ADAPTERS.get(key)
  if (!adapter) return { detail: `This version of Drover does not support ${name}.`, isCurable: false }
  if (adapter.live || adapter.usesMail) return null
  return {
    detail: `${name} is a practice carrier, so it books nothing for a live account.`,
    isCurable: false,
  }
}

/** Names the credential, and neither the stored secret nor its name. */
function credentialFault(
  { adapter, name, credentials }: CarrierAccount,
  { secretOf, unreadableSecrets }: SetUp,
): CarrierNotSetUp | null {
  for (const one of ADAPTERS.get(adapter)?.live?.credentials ?? []) {
    const secret = Object.hasOwn(credentials, one) ? credentials[one] : undefined
    if (secret !== undefined && secretOf(secret) !== null) continue
    const isUnreadable = secret !== undefined && unreadableSecrets.has(secret)
    const wrong = isUnreadable ? 'cannot be decrypted' : 'is missing'
    return {
      detail: `Drover cannot log in to ${name}, because its ${one.replaceAll('_', ' ')} ${wrong}.`,
      isCurable: true,
    }
  }
  return null
}

export type ChannelFault = { provider: string; name: string; message: string; remedy: string }

/** A live account sends a courier who works by email nothing while there is no mail server. */
export function mailFault(
  { provider, name, adapter, settings }: CarrierAccount,
  { hasSmtp }: { hasSmtp: boolean },
): ChannelFault | null {
  if (hasSmtp || !ADAPTERS.get(adapter)?.usesMail || !settings.email) return null
  return {
    provider,
    name,
    message: `${name} receives bookings by email, and no mail server is set: its services are not offered.`,
    remedy: 'Set SMTP_URL, as docs/guides/messages.md describes.',
  }
}
