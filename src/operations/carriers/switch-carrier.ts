import { Refusal } from '../../domain/errors.ts'
import { announceAccount } from '../../store/accounts/accounts.ts'
import { type CarrierOutage, listOutages } from '../../store/carriers/carrier-outages.ts'
import {
  askBack,
  type CarrierOff,
  countUncollected,
  listUncollected,
  putCarrierOff,
  removeCarrierOff,
  type UncollectedDelivery,
} from '../../store/carriers/carrier-switches.ts'
import { withTransaction } from '../../store/db/pool.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import { noAudit, type WriteAudit } from '../context/audit.ts'
import type { Deps } from '../context/deps.ts'
import { pickupAddress } from '../tokens/courier-link.ts'

export type CarrierStanding = {
  provider: string
  name: string
  /** Null: it is on. */
  off: CarrierOff | null
  /** Since when it does not answer; null while it does. */
  outage: CarrierOutage | null
  /** What it has booked and not collected, oldest first, at most 1,000. */
  uncollected: readonly UncollectedDelivery[]
  /** Where a courier without an interface fetches his work; null for others. */
  pickupUrl: string | null
  /** How many were asked back by this call. */
  askedBack: number
}

const MOST_LISTED = 1_000

/** Whether a carrier is on, and what it has that it did not collect yet. Refuses `not_found`. */
export async function carrierStanding(
  deps: Deps,
  { account, carriersOff }: AccountEntry,
  provider: string,
): Promise<CarrierStanding> {
  const carrier = account.carrierByProvider.get(provider)
  if (!carrier) throw new Refusal('not_found', `Account ${account.id} has no carrier ${provider}.`)
  const { db } = deps
  const outages = await listOutages(db, account.id)
  const uncollected = await listUncollected(db, account.id, provider, MOST_LISTED)
  return {
    provider,
    name: carrier.name,
    off: carriersOff.get(provider) ?? null,
    outage: outages.find((outage) => outage.provider === provider) ?? null,
    uncollected,
    pickupUrl: pickupAddress(deps, account.id, provider),
    askedBack: 0,
  }
}

export type CarrierLine = Pick<CarrierStanding, 'provider' | 'name' | 'off' | 'outage'> & {
  uncollected: number
}

/** All carriers of the account, in its order; `uncollected` is how many each has booked and not collected. */
export async function listCarriers(
  { db }: Pick<Deps, 'db'>,
  { account, carriersOff }: AccountEntry,
): Promise<CarrierLine[]> {
  const outages = await listOutages(db, account.id)
  const counts = await countUncollected(db, account.id)
  return account.carriers.map(({ provider, name }) => ({
    provider,
    name,
    off: carriersOff.get(provider) ?? null,
    outage: outages.find((outage) => outage.provider === provider) ?? null,
    uncollected: counts.get(provider) ?? 0,
  }))
}

/** `replan`: the account's own word where null. `gone`: a person knows that it will collect nothing more. */
export type SwitchingOff = { reason: string | null; replan: boolean | null; gone: boolean }

/**
 * Switches a carrier off: no quote offers it and no delivery is booked with it, in any process, within 2 s. With
 * `replan` what it has not collected is asked back: each is planned anew once the carrier has let it go, and not
 * before, so that nothing travels twice. One that is `gone` is asked too, also for what is on a manifest, but its
 * silence is a yes.
 */
export async function switchOff(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  { reason, replan, gone }: SwitchingOff,
  record: WriteAudit = noAudit,
): Promise<CarrierStanding> {
  const { account } = entry
  const { name } = await carrierStanding(deps, entry, provider)
  const nowMs = entry.nowMs()
  const askedBack = await withTransaction(deps.db, async (db) => {
    await putCarrierOff(db, account.id, { provider, sinceMs: nowMs, reason, gone })
    await announceAccount(db, account.id)
    const after = { on: false, reason, ...(gone && { gone }) }
    await record(db, { accountId: account.id, object: provider, after })
    if (!gone && !(replan ?? account.booking.replanWhenOff)) return 0
    const words = `${name} is switched off${reason === null ? '' : `: ${reason}`}. It is planned anew.`
    return askBack(db, account.id, provider, { reason: words, manifested: gone, nowMs })
  })
  await deps.accounts.refresh()
  if (askedBack > 0) deps.wake()
  return { ...(await carrierStanding(deps, entryNow(deps, entry), provider)), askedBack }
}

/** On again. What was asked back and not let go yet stays with it. */
export async function switchOn(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  record: WriteAudit = noAudit,
): Promise<CarrierStanding> {
  await carrierStanding(deps, entry, provider)
  await withTransaction(deps.db, async (db) => {
    await removeCarrierOff(db, entry.account.id, provider, entry.nowMs())
    await announceAccount(db, entry.account.id)
    await record(db, { accountId: entry.account.id, object: provider, after: { on: true } })
  })
  await deps.accounts.refresh()
  deps.wake()
  return carrierStanding(deps, entryNow(deps, entry), provider)
}

function entryNow({ accounts }: Pick<Deps, 'accounts'>, entry: AccountEntry): AccountEntry {
  return accounts.find(entry.account.id) ?? entry
}
