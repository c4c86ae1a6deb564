import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Account } from '../../src/domain/account/account.ts'
import { compileAccount } from '../../src/domain/account/snapshot/compile.ts'
import { readAccount } from '../../src/domain/account/validation/validate.ts'
import type { DeliveryType } from '../../src/domain/values.ts'
import { LOCAL_HOLIDAYS } from './holidays.ts'
import { anywhere } from './services.ts'
import type { OracleTiming } from './windows.ts'

type Words = Record<string, unknown> & { stores: Record<string, unknown>[] }

/**
 * The demo account with other hours every day, the same for all its stores, and pickups until this many minutes before
 * closing; with `NIGHT_TYPES` on request.
 */
export function accountOpen(hours: string, { atNight = false, pickupEndsMinutesBefore = 0 } = {}): Account {
  return changedDemo((words) => {
    for (const store of words.stores) {
      store.hours = { 'mon-sun': hours }
      store.pickup_ends_before_closing_minutes = pickupEndsMinutesBefore
    }
    if (atNight) words.delivery_types = NIGHT_WORDS
  })
}

/** The demo account with regional holidays for its stores in Brisbane, Hobart and Darwin. */
export function accountOfRegions(): Account {
  return changedDemo(({ stores }) => {
    for (const store of stores) {
      const region = regionOf(store)
      if (region) store.holiday_region = region
    }
  })
}

export function regionOf({ reference }: { reference?: unknown }): keyof typeof LOCAL_HOLIDAYS | null {
  const regions = Object.keys(LOCAL_HOLIDAYS) as (keyof typeof LOCAL_HOLIDAYS)[]
  return regions.find((region) => reference === `${region}-cbd`) ?? null
}

function changedDemo(change: (words: Words) => void): Account {
  const file = new URL('../../examples/demo-account.yaml', import.meta.url)
  const words: Words = parse(readFileSync(file, 'utf8'), { merge: true })
  change(words)
  const { document, mistakes } = readAccount(words)
  if (!document) throw new Error(mistakes.map(String).join('\n'))
  return compileAccount(document, {
    version: 1,
    storeIds: new Map(document.stores.map(({ reference }) => [reference, `sto_${reference}`])),
    brandIds: new Map(document.brands.map(({ reference }) => [reference, `brd_${reference}`])),
  })
}

/** Delivery types whose hours all lie in the hour that a spring night skips and an autumn night repeats. */
export const NIGHT_TYPES: Record<DeliveryType, OracleTiming> = {
  fast: { kind: 'after pickup', leadMinutes: 30, minutesPerKm: 0, windowMinutes: 180, lastPickup: '02:30' },
  flexible: { kind: 'on day', cutOff: '02:15', days: anywhere(0), from: '02:30', to: '20:00' },
  standard: { kind: 'on day', cutOff: '23:30', days: anywhere(3), from: '02:30', to: '18:00' },
  express: { kind: 'on day', cutOff: '03:00', days: anywhere(0), from: '02:00', to: '02:59' },
}

const NIGHT_WORDS = {
  fast: { timing: { after_pickup: { lead_minutes: 30, window_minutes: 180, last_pickup: '02:30' } } },
  flexible: { timing: { on_day: { cut_off: '02:15', days: 0, from: '02:30', to: '20:00' } } },
  standard: { timing: { on_day: { cut_off: '23:30', days: 3, from: '02:30', to: '18:00' } } },
  express: { timing: { on_day: { cut_off: '03:00', days: 0, from: '02:00', to: '02:59' } } },
}
