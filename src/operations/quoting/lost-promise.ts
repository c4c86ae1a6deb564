import { listIntents } from '../../store/deliveries/booking-intents.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { deliveryOf } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import { withoutRefused } from './carrier-refusals.ts'
import { holdOptions } from './hold-options.ts'
import { jobOf } from './job-of-delivery.ts'
import { decideAsking, streetOf } from './quote-delivery.ts'
import { OptionChanged, type Redemption } from './redeem-quote.ts'

/**
 * After a booking that a caller waited for: if the carrier refused what a quote had promised, so that the delivery waits
 * on hold for another choice, the refusal with the remaining options. Otherwise null: an unknown outcome is not a
 * refusal.
 */
export async function explainLostHold(
  deps: Deps,
  { holding }: Redemption,
  deliveryId: string,
): Promise<OptionChanged | null> {
  const { account } = holding.entry
  const row = await findDelivery(deps.db, account.id, deliveryId)
  if (row?.status !== 'on_hold' || row.pending_attempt !== null || !row.chosen?.held) return null
  const job = { ...jobOf(account, deliveryOf(row)), deliveryType: null }
  const asking = { dynamic: row.content.useDynamicRfp, street: streetOf(row.content) }
  const [asked, intents] = await Promise.all([
    decideAsking(deps, holding.entry, job, asking),
    listIntents(deps.db, account.id, deliveryId),
  ])
  const decision = withoutRefused(asked.decision, row, intents)
  const held = holdOptions(holding, asked.job, decision)
  const fresh = { account, store: job.store, decision, held }
  return new OptionChanged(row.status_reason ?? 'The carrier refused it.', fresh, { delivery_id: deliveryId })
}
