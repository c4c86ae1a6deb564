import type { State } from '../../src/domain/values.ts'
import { weekdayOf } from './clock.ts'

/**
 * State-wide public holidays, copied by hand from the research page on holidays: date, states (`all` is the eight,
 * `-TAS` all but Tasmania) and, for part-days, the time from which they count.
 */
const TABLE = `
2026-01-01 all
2026-01-26 all
2026-03-02 WA
2026-03-09 ACT SA TAS VIC
2026-04-03 all
2026-04-04 ACT NSW NT QLD SA VIC
2026-04-05 -TAS
2026-04-06 all
2026-04-25 all
2026-04-27 ACT NSW WA
2026-05-04 NT QLD
2026-06-01 ACT WA
2026-06-08 ACT NSW NT SA TAS VIC
2026-08-03 NT
2026-09-25 VIC
2026-09-28 WA
2026-10-05 ACT NSW SA QLD
2026-11-03 VIC
2026-12-24 QLD 18:00
2026-12-24 NT SA 19:00
2026-12-25 all
2026-12-26 -TAS
2026-12-28 all
2026-12-31 NT SA 19:00
2027-01-01 all
2027-01-26 all
2027-03-01 WA
2027-03-08 ACT SA TAS VIC
2027-03-26 all
2027-03-27 ACT NSW NT QLD SA VIC
2027-03-28 -TAS
2027-03-29 all
2027-04-25 NSW SA TAS VIC WA
2027-04-26 ACT NT QLD NSW WA
2027-05-03 NT QLD
2027-05-31 ACT
2027-06-07 WA
2027-06-14 ACT NSW NT SA TAS VIC
2027-08-02 NT
2027-09-24 VIC
2027-09-27 WA
2027-10-04 ACT NSW SA QLD
2027-11-02 VIC
2027-12-24 QLD 18:00
2027-12-24 NT SA 19:00
2027-12-25 all
2027-12-26 -TAS
2027-12-27 all
2027-12-28 all
2027-12-31 NT SA 19:00
2028-01-01 -TAS
2028-01-03 all
2028-01-26 all
`

const EIGHT: readonly State[] = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']

/** `2026-12-24 SA` → the time from which that day is a holiday there. */
const holidays = new Map<string, string>()
for (const line of TABLE.trim().split('\n')) {
  const [date, ...words] = line.split(' ')
  const from = words.at(-1)!.includes(':') ? words.pop()! : '00:00'
  for (const state of statesOf(words)) holidays.set(`${date} ${state}`, from)
}

/** Local holidays by region, which close only its stores. */
export const LOCAL_HOLIDAYS = {
  brisbane: ['2026-08-12', '2027-08-11'],
  hobart: ['2026-02-09', '2026-10-22', '2027-02-08', '2027-10-21'],
  darwin: ['2026-07-24', '2027-07-23'],
} as const

/** `00:00` for a whole day, `19:00` for a part-day, null for an ordinary day. */
export function holidayFrom(state: State, date: string): string | null {
  return holidays.get(`${date} ${state}`) ?? null
}

/** Monday to Friday without a whole-day public holiday of the state. */
export function isBusinessDay(state: State, date: string): boolean {
  return weekdayOf(date) < 5 && holidayFrom(state, date) !== '00:00'
}

function statesOf(words: readonly string[]): readonly State[] {
  if (words[0] === 'all') return EIGHT
  if (words[0] === '-TAS') return EIGHT.filter((state) => state !== 'TAS')
  return words as State[]
}
