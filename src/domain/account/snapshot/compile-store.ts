import { listHolidays } from '../../calendar/holidays.ts'
import {
  compileStoreCalendar,
  type HoursByWeekday,
  type StoreCalendar,
  type StoreCalendarSpec,
} from '../../calendar/store-calendar.ts'
import type { Position } from '../../geo/distance.ts'
import { locate } from '../../geo/localities.ts'
import { toE164 } from '../../phone.ts'
import { type DeliveryMode, WEEKDAYS, type Weekday } from '../../values.ts'
import type { Brand, Store } from '../account.ts'
import type { AccountDocument } from '../document/document.ts'
import type { StoreDocument } from '../document/document-store.ts'
import { dayNumber, rangeMinutes } from '../document/primitives.ts'
import { toHoursByDay, toRanges } from '../hours-by-day.ts'
import { ZONES_OF } from './zones-of-states.ts'

/**
 * Compiles the stores of one account. Stores with the same hours share one calendar: a chain of 100,000
 * stores has a few dozen calendars.
 */
export function storeCompiler(
  brandDocuments: AccountDocument['brands'],
  brands: readonly Brand[],
  accountModes: ReadonlySet<DeliveryMode>,
): (store: StoreDocument, id: string) => Store {
  const brandOf = new Map(
    brandDocuments.map((words, index) => [words.reference, { words, brand: brands[index]! }]),
  )
  // An account without stores may have no brand.
  const firstBrand = brandDocuments[0]?.reference
  const calendars = new Map<string, { calendar: StoreCalendar; hours: Store['hours'] }>()

  return (store, id) => {
    const brand = brandOf.get(store.brand ?? firstBrand ?? '')
    if (!brand) throw new Error(`Store "${store.reference}" has no brand.`)
    const words = toCalendarSpec(store)
    const shared = calendars.get(words) ?? compileHours(store)
    calendars.set(words, shared)
    const { lat, lng } = storePosition(store)
    return {
      id,
      reference: store.reference,
      name: store.name ?? store.reference,
      brand: brand.brand,
      address: {
        address: store.address.address,
        address2: store.address.address2 ?? null,
        city: store.address.city,
        state: store.address.state,
        postCode: store.address.post_code,
        country: store.address.country,
      },
      phone: store.phone === undefined ? null : toE164(store.phone),
      lat,
      lng,
      state: store.address.state,
      zone: shared.calendar.zone,
      calendar: shared.calendar,
      modes: store.modes ? new Set(store.modes) : accountModes,
      bufferMinutes: store.buffer_minutes ?? brand.words.buffer_minutes,
      processingMinutes: store.processing_minutes ?? brand.words.processing_minutes,
      hours: shared.hours,
      labels: { format: store.labels?.format ?? 'pdf', printer: store.labels?.printer ?? null },
      staffCouriers: store.staff_couriers.map((courier) => ({
        phone: toE164(courier.phone) ?? courier.phone,
        driverName: courier.driver_name,
        driverId: courier.driver_id ?? null,
      })),
    }
  }
}

/** As the document gives it, or the middle of the store's suburb. */
function storePosition({ address, latitude, longitude }: StoreDocument): Position {
  if (latitude !== undefined && longitude !== undefined) return { lat: latitude, lng: longitude }
  const found = locate({ city: address.city, state: address.state, postCode: address.post_code })
  if ('message' in found) throw new Error(`The store’s position is unknown. ${found.message}`)
  return found
}

/** The fields of a store that determine its calendar. */
function toCalendarSpec(store: StoreDocument): string {
  return JSON.stringify([
    store.address.state,
    store.time_zone,
    store.holiday_region,
    store.open_on_holidays,
    store.closures,
    store.openings,
    store.hours,
    store.pickup_hours,
    store.pickup_ends_before_closing_minutes,
  ])
}

function compileHours(store: StoreDocument): { calendar: StoreCalendar; hours: Store['hours'] } {
  const { state } = store.address
  const region = store.holiday_region ?? null
  const hours = toHoursByDay(store.hours)
  const calendar = compileStoreCalendar({
    zone: store.time_zone ?? ZONES_OF[state][0],
    state,
    region,
    trading: inMinutes(hours),
    pickup: compilePickup(store),
    closures: store.closures.map(({ from, to, reason }) => ({
      fromDay: dayNumber(from)!,
      toDay: dayNumber(to ?? from)!,
      name: reason ?? 'Closed',
    })),
    openOnHolidays:
      typeof store.open_on_holidays === 'boolean'
        ? store.open_on_holidays
          ? listHolidays(state, region).map(({ date }) => date)
          : []
        : store.open_on_holidays,
    openings: store.openings.map(({ from, to, hours, reason }) => ({
      fromDay: dayNumber(from)!,
      toDay: dayNumber(to ?? from)!,
      hours: toRanges(hours).map(rangeMinutes),
      name: reason ?? 'Extra opening',
    })),
  })
  return { calendar, hours }
}

function compilePickup(store: StoreDocument): StoreCalendarSpec['pickup'] {
  if (store.pickup_hours) return inMinutes(toHoursByDay(store.pickup_hours))
  const minutes = store.pickup_ends_before_closing_minutes
  return minutes === undefined ? null : { endsBeforeClosingMinutes: minutes }
}

function inMinutes(hours: Record<Weekday, readonly string[]>): HoursByWeekday {
  const week = {} as Record<Weekday, { open: number; close: number }[]>
  for (const day of WEEKDAYS) week[day] = hours[day].map(rangeMinutes)
  return week
}
