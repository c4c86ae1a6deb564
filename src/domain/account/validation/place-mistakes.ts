import { holidayRegions, listHolidays } from '../../calendar/holidays.ts'
import { zone } from '../../calendar/zone.ts'
import { coordinateRemedy, isInAustralia } from '../../geo/in-australia.ts'
import { type Located, locate, type PlaceIssue } from '../../geo/localities.ts'
import { findState } from '../../geo/states.ts'
import { toE164 } from '../../phone.ts'
import { numberKind } from '../../sms-number.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { State } from '../../values.ts'
import type { Path } from '../document/schema-at.ts'
import { isZoneOf, ZONES_OF } from '../snapshot/zones-of-states.ts'
import { entries, field, numberField, textField } from './loose.ts'
import type { AccountMistake, MistakesInSteps } from './mistake.ts'

/** Checks where a store is: zone, region, position and phones. Reads documents of any shape. */
export function* placeMistakes(document: unknown): MistakesInSteps {
  yield* zoneMistakes(['time_zone'], textField(document, 'time_zone'))
  const countries = smsCountries(document)
  for (const { value: store, path } of entries(document, 'stores')) {
    yield
    const state = findState(textField(field(store, 'address'), 'state') ?? '')
    yield* zoneMistakes([...path, 'time_zone'], textField(store, 'time_zone'), state)
    yield* positionMistakes(path, numberField(store, 'latitude'), numberField(store, 'longitude'))
    yield* halfPositionMistakes(path, store)
    yield* addressMistakes(path, store)
    if (state) yield* holidayMistakes(path, store, state)
    yield* phoneMistakes([...path, 'phone'], textField(store, 'phone'))
    for (const courier of entries(store, 'staff_couriers', path)) {
      yield
      yield* courierPhoneMistakes(countries, [...courier.path, 'phone'], textField(courier.value, 'phone'))
    }
  }
}

function* zoneMistakes(path: Path, name: string | undefined, state?: State): Generator<AccountMistake> {
  if (name === undefined) return
  const known = state ? ZONES_OF[state] : Object.values(ZONES_OF).flat()
  if (!isZone(name)) {
    yield mistake(
      path,
      `"${name}" is not a time zone`,
      didYouMean(name, known).trim() || `write ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}`,
    )
  } else if (state && !isZoneOf(state, name)) {
    yield {
      ...mistake(
        path,
        `"${name}" is not a time zone of ${state}`,
        `write ${known[0]}, or leave the time zone out`,
      ),
      kind: 'conflict',
    }
  }
}

function isZone(name: string): boolean {
  try {
    zone(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** A store whose suburb, state and postcode contradict each other would get another state's prices and holidays. */
function* addressMistakes(path: Path, store: unknown): Generator<AccountMistake> {
  const found = locateStore(store)
  if (found === null || !('message' in found) || found.field === 'state') return
  yield {
    ...mistake(
      [...path, 'address', found.field],
      found.message,
      'Correct the suburb, the state or the postcode',
    ),
    kind: 'unknown_place',
  }
}

function* halfPositionMistakes(path: Path, store: unknown): Generator<AccountMistake> {
  const [has, lacks] =
    field(store, 'latitude') === undefined ? ['longitude', 'latitude'] : ['latitude', 'longitude']
  if (field(store, lacks) !== undefined || field(store, has) === undefined) return
  yield {
    ...mistake(
      [...path, lacks],
      'is missing',
      `add ${lacks}, or remove ${has} too: we then use the middle of the suburb`,
    ),
    kind: 'required',
  }
}

/** Where the address of a store is; null if the document has no whole address there. */
export function locateStore(store: unknown): Located | PlaceIssue | null {
  const address = field(store, 'address')
  const [city, state] = [textField(address, 'city'), textField(address, 'state')]
  const postCode = textField(address, 'post_code')
  if (city === undefined || state === undefined || postCode === undefined) return null
  return /^\d{4}$/.test(postCode) ? locate({ city, state, postCode }) : null
}

function* positionMistakes(path: Path, latitude?: number, longitude?: number): Generator<AccountMistake> {
  if (latitude === undefined || longitude === undefined || isInAustralia(latitude, longitude)) return
  const remedy = coordinateRemedy(latitude, longitude)
  yield {
    ...mistake([...path, 'latitude'], `${latitude}, ${longitude} is not in Australia`, remedy),
    kind: 'out_of_range',
  }
}

function* holidayMistakes(path: Path, store: unknown, state: State): Generator<AccountMistake> {
  const region = textField(store, 'holiday_region')
  const regions = region === undefined ? [] : holidayRegions(state)
  if (region !== undefined && !regions.includes(region)) {
    const list =
      regions.length > 0
        ? `write ${regions.length > 1 ? 'one of ' : ''}${regions.join(', ')}`
        : `${state} has no regional public holidays: remove the region`
    yield mistake(
      [...path, 'holiday_region'],
      `"${region}" is not a holiday region of ${state}`,
      didYouMean(region, regions).trim() || list,
    )
  }
  for (const { value, path: at } of entries(store, 'open_on_holidays', path)) {
    const words = listHolidays(state, region ?? null).flatMap(({ name, date }) => [name, date])
    if (typeof value !== 'string' || words.includes(value)) continue
    yield mistake(
      at,
      `"${value}" is not a public holiday in ${state}`,
      didYouMean(value, words).trim() ||
        'write the holiday’s date, such as "2027-01-26", or its name, such as "Australia Day"',
    )
  }
}

function* phoneMistakes(path: Path, phone: string | undefined): Generator<AccountMistake> {
  if (phone === undefined || toE164(phone) !== null) return
  yield mistake(
    path,
    `"${phone}" is not a phone number`,
    'write the number as you dial it in Australia, such as "03 5550 1234", or with +61',
  )
}

function smsCountries(document: unknown): ReadonlySet<string> {
  const listed = entries(field(document, 'sms'), 'countries').flatMap(({ value }) =>
    typeof value === 'string' ? [value] : [],
  )
  return new Set(listed.length > 0 ? listed : ['AU'])
}

function* courierPhoneMistakes(
  countries: ReadonlySet<string>,
  path: Path,
  phone: string | undefined,
): Generator<AccountMistake> {
  yield* phoneMistakes(path, phone)
  const number = phone === undefined ? null : toE164(phone)
  if (number === null) return
  const kind = numberKind(number, countries)
  if (kind === 'mobile') return
  const wrong =
    kind === 'elsewhere' ? 'is from a country that is not in sms.countries' : 'is not a mobile number'
  yield mistake(
    path,
    `"${phone}" ${wrong}`,
    'couriers get their jobs by SMS: write the courier’s own mobile number',
  )
}

function mistake(path: Path, wrong: string, remedy: string): AccountMistake {
  return { path, kind: 'invalid_value', wrong, remedy }
}
