import type { DeliveryType, Window } from '../values.ts'
import type { CarrierQuote, Decision, Option, PriceLine } from './decision.ts'

/** The promise of a quote token: one service at one price in one window, or only the window of a delivery type. */
export type Hold = OptionHold | WindowHold
export type OptionHold = {
  kind: 'option'
  deliveryType: DeliveryType
  provider: string
  service: string
  priceCents: number
  window: Window
  /** The carrier's own price that it is based on; null when the price is from a rate card. */
  quote: CarrierQuote | null
}
export type WindowHold = { kind: 'window'; deliveryType: DeliveryType; window: Window }

/** Whether a service whose window is now `offered` can still arrive in the held window. */
export function keepsWindow(offered: Window, held: Window): boolean {
  return offered.fromMs < held.toMs && offered.toMs > held.fromMs
}

/** Whether a service can arrive in the held window, if need be by a later pickup than its earliest. */
export function reachesWindow(offered: Window, held: Window): boolean {
  return offered.fromMs < held.toMs
}

/**
 * The options of a fresh decision that keep the promise, as they are booked: in the held window, and at the
 * held price if there is one. `wallMs` checks the carrier's own quote: until it expires, the carrier's
 * current price does not matter.
 */
export function heldOptions({ options }: Decision, hold: Hold, wallMs: number): Option[] {
  return options.flatMap((option) => {
    if (hold.kind === 'window') {
      const keeps = option.service.type === hold.deliveryType && reachesWindow(option.window, hold.window)
      return keeps ? [{ ...option, window: hold.window }] : []
    }
    if (!keepsWindow(option.window, hold.window)) return []
    return isHeldService(option, hold) && keepsPrice(option, hold, wallMs)
      ? [atHeldPrice(option, hold, wallMs)]
      : []
  })
}

/** Whether it is exactly the held service. */
export function isHeldService(
  { service }: Pick<Option, 'service'>,
  hold: Pick<OptionHold, 'provider' | 'service'>,
): boolean {
  return service.provider === hold.provider && service.service === hold.service
}

/** If our own price list changed, the held price stays; if the carrier's price rose, it does not. */
function keepsPrice({ quote }: Option, hold: OptionHold, wallMs: number): boolean {
  if (!quote || !hold.quote) return true
  return hold.quote.expiresAtMs > wallMs || quote.priceCents <= hold.quote.priceCents
}

function atHeldPrice(option: Option, hold: OptionHold, wallMs: number): Option {
  const isQuoteGood = hold.quote !== null && hold.quote.expiresAtMs > wallMs
  return {
    ...atPrice(option, hold.priceCents),
    window: hold.window,
    quote: isQuoteGood ? hold.quote : option.quote,
  }
}

/** The option at the promised price; the difference becomes a line of its own. */
export function atPrice(option: Option, priceCents: number): Option {
  const cents = priceCents - option.priceCents
  if (cents === 0) return option
  const line: PriceLine = { name: 'held_price', cents, detail: 'the price that was quoted' }
  return { ...option, priceCents, lines: [...option.lines, line] }
}

/**
 * The last moment until `untilMs`, to the second, when `windowAt` still keeps the window that it has at
 * `nowMs`. A pickup only moves later, so once the window is lost it stays lost.
 */
export function heldUntilMs(
  windowAt: (ms: number) => Window | null,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): number {
  const held = windowAt(nowMs)
  if (!held) return nowMs
  const keepsAt = (ms: number): boolean => {
    const offered = windowAt(ms)
    return offered !== null && keepsWindow(offered, held)
  }
  if (keepsAt(untilMs)) return untilMs
  let [holdsMs, lostMs] = [nowMs, untilMs]
  while (lostMs - holdsMs > SECOND_MS) {
    const middle = Math.floor((holdsMs + lostMs) / 2)
    if (keepsAt(middle)) holdsMs = middle
    else lostMs = middle
  }
  return holdsMs
}

const SECOND_MS = 1_000
