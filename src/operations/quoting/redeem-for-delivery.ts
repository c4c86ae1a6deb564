import type { Delivery } from '../../domain/delivery/delivery.ts'
import { boundJobOfDelivery } from '../../domain/quoting/bound-fields.ts'
import { explainForRecord } from '../../domain/quoting/explanation.ts'
import { refuse } from '../../domain/refuse.ts'
import type { DeliveryPatch } from '../../store/deliveries/change-delivery.ts'
import { type DeliveryRow, deliveryOf } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { chosenOf, manifestStatusOf } from './chosen-option.ts'
import { jobOf } from './job-of-delivery.ts'
import { decideAsking, streetOf } from './quote-delivery.ts'
import { keptOptions, mismatchesOf, optionChanged, type Redemption, readQuoteId } from './redeem-quote.ts'

/**
 * Holds a delivery that no carrier has to a quote, by the version of the account that it was decided under: what it
 * then stands on. Refuses `invalid_request` with each field in which the delivery differs from the quote, and
 * `option_changed`.
 */
export async function redeemForDelivery(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  quoteId: string,
): Promise<{ redemption: Redemption; patch: DeliveryPatch }> {
  const account = await deps.accounts.atVersion(row.account_id, row.account_version)
  const under = { ...entry, account }
  const redemption = redemptionFor(deps, under, deliveryOf(row), quoteId)

  const asking = {
    dynamic: row.content.useDynamicRfp,
    street: streetOf(row.content),
    excluded: row.status === 'on_hold' ? [] : row.excluded_providers,
  }
  const { decision, job } = await decideAsking(deps, under, jobOf(account, deliveryOf(row)), asking)
  const [option] = keptOptions(redemption, decision)
  if (!option) throw await optionChanged(deps, redemption, { job, decision, asking })
  const patch = {
    chosen: chosenOf(option, redemption.token.hold.kind),
    delivery_type: option.service.type,
    window_from: option.window.fromMs,
    window_to: option.window.toMs,
    manifest_status: manifestStatusOf(option.service),
    decision: JSON.stringify(explainForRecord(account, job, decision)),
    decided_at: entry.nowMs(),
  }
  return { redemption, patch }
}

function redemptionFor(deps: Deps, entry: AccountEntry, delivery: Delivery, quoteId: string): Redemption {
  const of = { deps, entry, linkId: null }
  const brought = readQuoteId(of, quoteId)
  if (!brought || 'issue' in brought) return refuse(brought ? [brought.issue] : [])
  const { content, storeId, readyForPickupAtMs } = delivery
  const bound = boundJobOfDelivery(content, { storeId, readyForPickupAtMs })
  const redemption = { token: brought.token, holding: { ...of, bound } }
  const chosen = { deliveryType: content.requestedType, pin: content.providerOptions, namesStoreById: false }
  const issues = mismatchesOf(redemption, chosen, 'The delivery’s ')
  return issues.length > 0 ? refuse(issues) : redemption
}
