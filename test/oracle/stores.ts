import type { State } from '../../src/domain/values.ts'

/** One row of the demo account's table of stores. `week` starts on Monday; an empty text is a closed day. */
export type OracleStore = {
  reference: string
  state: State
  zone: string
  lat: number
  lng: number
  week: readonly string[]
  pickupEndsMinutesBefore: number
  localHolidays: readonly string[]
  bufferMinutes: number
}

const SYDNEY = days(
  '09:00-18:00',
  '09:00-18:00',
  '09:00-18:00',
  '09:00-21:00',
  '09:00-18:00',
  '09:00-18:00',
  '10:00-17:00',
)

export const STORES: readonly OracleStore[] = [
  {
    ...store('melbourne-cbd', 'VIC', 'Australia/Melbourne', -37.813, 144.967),
    week: weekdays('08:00-18:00', '09:00-17:00', '10:00-16:00'),
    pickupEndsMinutesBefore: 30,
  },
  {
    ...store('fitzroy', 'VIC', 'Australia/Melbourne', -37.798, 144.978),
    week: weekdays('09:00-17:30', '09:00-17:30', ''),
  },
  { ...store('sydney-cbd', 'NSW', 'Australia/Sydney', -33.8698, 151.207), week: SYDNEY },
  { ...store('parramatta', 'NSW', 'Australia/Sydney', -33.817, 151.003), week: SYDNEY },
  {
    ...store('brisbane-cbd', 'QLD', 'Australia/Brisbane', -27.469, 153.025),
    week: weekdays('09:00-17:30', '09:00-17:30', '10:00-16:00'),
  },
  {
    ...store('adelaide-cbd', 'SA', 'Australia/Adelaide', -34.9225, 138.603),
    week: weekdays('09:00-17:30', '09:00-17:00', '11:00-17:00'),
  },
  {
    ...store('perth-cbd', 'WA', 'Australia/Perth', -31.954, 115.857),
    week: weekdays('08:30-17:30', '09:00-17:00', '11:00-17:00'),
  },
  {
    ...store('hobart-cbd', 'TAS', 'Australia/Hobart', -42.882, 147.328),
    week: weekdays('09:00-17:30', '09:00-16:00', ''),
  },
  {
    ...store('canberra-city', 'ACT', 'Australia/Sydney', -35.2785, 149.133),
    week: weekdays('09:00-17:30', '10:00-16:00', '10:00-16:00'),
  },
  {
    ...store('darwin-cbd', 'NT', 'Australia/Darwin', -12.4634, 130.8456),
    week: weekdays('09:00-17:00', '09:00-13:00', ''),
  },
]

/** One store of each time zone. */
export const ONE_OF_EACH_ZONE: readonly OracleStore[] = STORES.filter(
  ({ reference }) => !['fitzroy', 'parramatta', 'canberra-city'].includes(reference),
)

export function everyDay(hours: string): readonly string[] {
  return days(hours, hours, hours, hours, hours, hours, hours)
}

function store(reference: string, state: State, zone: string, lat: number, lng: number) {
  return {
    reference,
    state,
    zone,
    lat,
    lng,
    pickupEndsMinutesBefore: 0,
    localHolidays: [],
    bufferMinutes: 15,
  }
}

function weekdays(monToFri: string, sat: string, sun: string): readonly string[] {
  return days(monToFri, monToFri, monToFri, monToFri, monToFri, sat, sun)
}

function days(...hours: string[]): readonly string[] {
  return hours
}
