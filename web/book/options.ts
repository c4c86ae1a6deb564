import type { WallWindow } from '../../src/domain/calendar/format-window.ts'
import { wallAt } from '../../src/domain/calendar/format-window-at.ts'
import { keepsWindow } from '../../src/domain/quoting/quote-token.ts'
import type { LinkOption } from '../shared/api.generated.ts'

export type DeliveryType = 'fast' | 'flexible' | 'standard' | 'express'
/** `quoteId` holds the option as it is shown. */
export type Choice = {
  type: DeliveryType
  window: WallWindow
  fromMs: number
  toMs: number
  cents: number
  quoteId: string
}

/** Available times, soonest first, in the time zone of the address. Of two at the same time, the cheaper one. */
export function choicesOf(options: Partial<Record<DeliveryType, LinkOption>>, timeZone: string): Choice[] {
  return Object.entries(options)
    .flatMap(([type, option]) => {
      if (!option?.from_datetime || !option.to_datetime) return []
      const [fromMs, toMs] = [Date.parse(option.from_datetime), Date.parse(option.to_datetime)]
      const window = { from: wallAt(timeZone, fromMs), to: wallAt(timeZone, toMs) }
      const { price_cents: cents, quote_id: quoteId } = option
      return [{ type: type as DeliveryType, window, fromMs, toMs, cents, quoteId }]
    })
    .sort((a, b) => a.fromMs - b.fromMs || lastMinute(a) - lastMinute(b) || a.cents - b.cents)
    .filter((one, index, all) => {
      const before = all[index - 1]
      return before?.fromMs !== one.fromMs || lastMinute(before) !== lastMinute(one)
    })
}

/**
 * The customer's choice while it is available: it stays as it was shown, because it is held. Null after the times have
 * moved past it.
 */
export function stillHeld(picked: Choice | null, live: readonly Choice[]): Choice | null {
  const now = live.find(({ type }) => type === picked?.type)
  if (!picked || !now) return null
  return keepsWindow(now, picked) ? picked : null
}

function lastMinute({ window: { to } }: Choice): number {
  return to.day * 1_440 + to.minute
}

export function byDay(choices: readonly Choice[]): { day: number; choices: Choice[] }[] {
  const days = [...new Set(choices.map(({ window }) => window.from.day))].sort((a, b) => a - b)
  return days.map((day) => ({ day, choices: choices.filter(({ window }) => window.from.day === day) }))
}

const FROM_MINUTE = 8 * 60
const TO_MINUTE = 20 * 60

/** A minute's place on the day from 8 am to 8 pm, in per cent, clamped to it. */
export function placeOnDay(minute: number): number {
  return Math.min(100, Math.max(0, ((minute - FROM_MINUTE) / (TO_MINUTE - FROM_MINUTE)) * 100))
}
