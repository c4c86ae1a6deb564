import type { Account } from '../../domain/account/account.ts'
import { type ChargedOn, chargedOn } from '../../domain/quoting/chargeable-weight.ts'
import { type ExplainedService, type Explanation, explain } from '../../domain/quoting/explanation.ts'
import { type BookingIntent, listIntents } from '../../store/deliveries/booking-intents.ts'
import { findDecision } from '../../store/deliveries/deliveries.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { decideNow, decideWithoutCurrentCarrier } from '../quoting/decide-now.ts'

/** A decision with its basis: the account's version, and the billing basis of each price. */
export type Weighed<E> = {
  accountVersion: number
  explanation: E
  chargedOn: ReadonlyMap<ExplainedService, ChargedOn>
}

/** Why this carrier: the candidates of the last decision, and the answer of each carrier that was asked. */
export type DecisionRecord = Weighed<Explanation | null> & {
  attempts: Pick<
    BookingIntent,
    'attempt' | 'key' | 'provider' | 'service' | 'state' | 'message' | 'createdAtMs'
  >[]
}

export async function deliveryDecision(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<DecisionRecord> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  const [explanation, attempts] = await Promise.all([
    findDecision(deps.db, row.account_id, row.delivery_id),
    listIntents(deps.db, row.account_id, row.delivery_id),
  ])
  return { ...(await weighed(deps, row, explanation as Explanation | null)), attempts }
}

/**
 * The options for the delivery at this moment; nothing is changed. `elsewhere`: the options of a reassignment, without
 * its current carrier.
 */
export async function deliveryOptions(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  { elsewhere }: { elsewhere: boolean },
): Promise<Weighed<Explanation>> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  if (!elsewhere) return weighed(deps, row, explain(await decideNow(deps, entry, row)))
  const decision = await decideWithoutCurrentCarrier(deps, entry, row)
  // The delivery has not been recalled from its current carrier, so that carrier is left out rather than shown as
  // excluded.
  const exclusions = decision.exclusions.filter(({ service }) => service.provider !== row.carrier_provider)
  return weighed(deps, row, explain({ ...decision, exclusions }))
}

async function weighed<E extends Explanation | null>(
  deps: Deps,
  row: DeliveryRow,
  explanation: E,
): Promise<Weighed<E>> {
  const { account_id: accountId, account_version: accountVersion } = row
  const account = await deps.accounts.atVersion(accountId, accountVersion)
  return { accountVersion, explanation, chargedOn: findChargedOn(account, row, explanation) }
}

function findChargedOn(account: Account, row: DeliveryRow, explanation: Explanation | null) {
  const store = account.storeById.get(row.store_id)
  const { deliveryMode: mode, destination, parcels } = row.content
  const charged = new Map<ExplainedService, ChargedOn>()
  for (const explained of explanation?.services ?? []) {
    const { provider, carrierCode } = explained
    const service = account.services.find(
      (one) => one.provider === provider && one.carrierCode === carrierCode,
    )
    if (!explained.eligible || !service || !store) continue
    const on = chargedOn(service, explained.lines, parcels, { mode, destination, store })
    if (on) charged.set(explained, on)
  }
  return charged
}
