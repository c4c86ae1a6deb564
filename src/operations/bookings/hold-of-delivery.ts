import type { Account, Service } from '../../domain/account/account.ts'
import { formatWindowAt } from '../../domain/calendar/format-window-at.ts'
import { windowZoneOfDelivery } from '../../domain/calendar/window-zone.ts'
import type { ChosenOption } from '../../domain/delivery/delivery.ts'
import { type Hold, isHeldService } from '../../domain/quoting/quote-token.ts'
import type { DeliveryType } from '../../domain/values.ts'
import { listIntents } from '../../store/deliveries/booking-intents.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { listRefusingServices } from '../quoting/decide-now.ts'
import type { ClaimedDelivery } from './apply-transition.ts'

type Holdable = Pick<DeliveryRow, 'chosen' | 'window_from' | 'window_to' | 'delivery_type'>

/**
 * The promise of the quote for a delivery that is not booked yet; null if there was no promise. The price was agreed
 * when the delivery was created: the carrier's current price does not change it.
 */
export function holdOn({
  chosen,
  window_from: fromMs,
  window_to: toMs,
  delivery_type,
}: Holdable): Hold | null {
  if (!chosen?.held || fromMs === null || toMs === null) return null
  const shared = { deliveryType: delivery_type as DeliveryType, window: { fromMs, toMs } }
  if (chosen.held === 'window') return { kind: 'window', ...shared }
  const { provider, service, priceCents, quote = null } = chosen
  const isGood = quote !== null && quote.expiresAtMs > Date.now()
  return { kind: 'option', ...shared, provider, service, priceCents, quote: isGood ? quote : null }
}

/** The same option without its promise: the person who books it now accepts any option. */
export function withoutHold(chosen: ChosenOption | null): ChosenOption | null {
  if (!chosen?.held) return chosen
  const { held: _, ...rest } = chosen
  return rest
}

/** Whether waiting for this service could keep the promise. */
export function mayKeep(service: Service, hold: Hold): boolean {
  return hold.kind === 'option' ? isHeldService({ service }, hold) : service.type === hold.deliveryType
}

/** Tells the clerk, who has to choose, why Drover booked no other carrier. */
export async function whyNotKept(
  { deps, claim }: ClaimedDelivery,
  account: Account,
  hold: Hold,
): Promise<string> {
  const { row } = claim
  const zone = account.storeById.get(row.store_id)?.zone ?? account.zone
  const clocks = { zone: windowZoneOfDelivery(row.content, { zone }), reader: zone.name, nowMs: 0 }
  // With the date, because clerks read it on other days too.
  const promised = formatWindowAt(hold.window, clocks, 'full')
  const intents = await listIntents(deps.db, row.account_id, row.delivery_id)
  const last = [...listRefusingServices(row, intents).values()].at(-1)
  const refusal = last
    ? `${last.carrierName} refused it${last.message === null ? '.' : `: ${last.message}`}`
    : 'No carrier can make that time any more.'
  return `${refusal} We promised the customer ${promised}, so we haven’t booked another carrier.`
}
