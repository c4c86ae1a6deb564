import { Refusal } from '../../domain/errors.ts'
import { announceAccount } from '../../store/accounts/accounts.ts'
import { type CarrierOutage, listOutages } from '../../store/carriers/carrier-outages.ts'
import {
  type CarrierOff,
  countUncollected,
  listUncollected,
  putCarrierOff,
  recallDeliveries,
  removeCarrierOff,
  type UncollectedDelivery,
} from '../../store/carriers/carrier-switches.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { pickupAddress } from '../tokens/courier-link.ts'

export type CarrierDetail = {
  provider: string
  name: string
  /** Null: the carrier is on. */
  off: CarrierOff | null
  /** The carrier's current outage; null while the carrier answers. */
  outage: CarrierOutage | null
  /** Deliveries that the carrier has booked and not collected, oldest first, at most 1,000. */
  uncollected: readonly UncollectedDelivery[]
  /** Capability URL of the pickup page of a courier without an API; null for other carriers. */
  pickupUrl: string | null
  /** How many deliveries this call recalled. */
  pendingCancellation: number
}

const MAX_LISTED = 1_000

/** Whether a carrier is on, and its booked but uncollected deliveries. Refuses `not_found`. */
export async function getCarrierDetail(
  deps: Deps,
  { account, carriersOff }: AccountEntry,
  provider: string,
): Promise<CarrierDetail> {
  const carrier = account.carrierByProvider.get(provider)
  if (!carrier) throw new Refusal('not_found', `Account ${account.id} has no carrier ${provider}.`)
  const { db } = deps
  const outages = await listOutages(db, account.id)
  const uncollected = await listUncollected(db, account.id, provider, MAX_LISTED)
  return {
    provider,
    name: carrier.name,
    off: carriersOff.get(provider) ?? null,
    outage: outages.find((outage) => outage.provider === provider) ?? null,
    uncollected,
    pickupUrl: await pickupAddress(deps, account.id, provider),
    pendingCancellation: 0,
  }
}

export type CarrierSummary = Pick<CarrierDetail, 'provider' | 'name' | 'off' | 'outage'> & {
  uncollected: number
}

/**
 * All carriers of the account, in its order; `uncollected` is how many deliveries each has booked and not
 * collected.
 */
export async function listCarriers(
  { db }: Pick<Deps, 'db'>,
  { account, carriersOff }: AccountEntry,
): Promise<CarrierSummary[]> {
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

/**
 * `replan` null: use the account's setting. `decommissioned`: a person knows that the carrier will collect nothing
 * more.
 */
export type SwitchingOff = { reason: string | null; replan: boolean | null; decommissioned: boolean }

/**
 * Switches a carrier off: within 2 s no quote offers it and no process books with it. With `replan`, its
 * uncollected deliveries are recalled: each is replanned once the carrier has released it, and not before, so
 * that nothing is delivered twice. If the carrier is `decommissioned`, we also recall deliveries on a manifest, and
 * treat no answer as a yes.
 */
export async function switchOff(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  { reason, replan, decommissioned }: SwitchingOff,
  record: WriteAudit = noAudit,
): Promise<CarrierDetail> {
  const { account } = entry
  const { name } = await getCarrierDetail(deps, entry, provider)
  const nowMs = entry.nowMs()
  const pendingCancellation = await withTransaction(deps.db, async (db) => {
    await putCarrierOff(db, account.id, { provider, sinceMs: nowMs, reason, decommissioned })
    await announceAccount(db, account.id)
    const after = { on: false, reason, ...(decommissioned && { decommissioned }) }
    await record(db, { accountId: account.id, object: provider, after })
    if (!decommissioned && !(replan ?? account.booking.replanWhenOff)) return 0
    const words = `${name} is switched off${reason === null ? '' : `: ${reason}`}. Drover plans the delivery again.`
    return recallDeliveries(db, account.id, provider, { reason: words, manifested: decommissioned, nowMs })
  })
  await deps.accounts.refresh()
  if (pendingCancellation > 0) deps.wake()
  return { ...(await getCarrierDetail(deps, await entryNow(deps, entry), provider)), pendingCancellation }
}

/** Switches the carrier on. Recalled deliveries that it has not released yet stay with it. */
export async function switchOn(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  record: WriteAudit = noAudit,
): Promise<CarrierDetail> {
  await getCarrierDetail(deps, entry, provider)
  await withTransaction(deps.db, async (db) => {
    await removeCarrierOff(db, entry.account.id, provider, entry.nowMs())
    await announceAccount(db, entry.account.id)
    await record(db, { accountId: entry.account.id, object: provider, after: { on: true } })
  })
  await deps.accounts.refresh()
  deps.wake()
  return getCarrierDetail(deps, await entryNow(deps, entry), provider)
}

async function entryNow({ accounts }: Pick<Deps, 'accounts'>, entry: AccountEntry): Promise<AccountEntry> {
  return (await accounts.find(entry.account.id)) ?? entry
}
