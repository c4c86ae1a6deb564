import type { Carrier } from '../../carriers/port/carrier.ts'
import type { AccountDirectory, AccountEntry } from './account-directory.ts'

type CarrierDeps = {
  accounts: Pick<AccountDirectory, 'find'>
  carrierOf(entry: AccountEntry, provider: string): Carrier | null
}

/** The carrier that an account's provider key names, or last named; null if unknown. */
export async function findCarrier(
  { accounts, carrierOf }: CarrierDeps,
  accountId: string,
  provider: string,
): Promise<Carrier | null> {
  const entry = await accounts.find(accountId)
  return entry && carrierOf(entry, provider)
}
