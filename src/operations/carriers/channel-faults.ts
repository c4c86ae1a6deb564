import { ADAPTERS } from '../../carriers/registry.ts'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'

/** Which channels this process has. */
export type Channels = { hasSmtp: boolean; hasSms: boolean }

export type ChannelFault = { provider: string; name: string; message: string; remedy: string }

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
    'Staff couriers cannot log in to the driver app: Drover sends log-in codes by SMS, and no SMS gateway is set.',
  remedy: 'Set SMS_URL, as docs/guides/messages.md describes.',
}

/** A live account sends a courier who works by e-mail nothing while there is no mail server. */
function mailFault({ provider, name, adapter, settings }: CarrierAccount, { hasSmtp }: Channels) {
  if (hasSmtp || !ADAPTERS.get(adapter)?.usesMail || !settings.email) return null
  return {
    provider,
    name,
    message: `${name} receives bookings by e-mail, and no mail server is set: its services are not offered.`,
    remedy: 'Set SMTP_URL, as docs/guides/messages.md describes.',
  }
}
