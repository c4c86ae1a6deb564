import { STATES, type State } from '../values.ts'

/** The general post offices of the capitals: "near a capital" is measured from them. */
export const CAPITALS: readonly { state: State; city: string; lat: number; lng: number }[] = [
  { state: 'NSW', city: 'Sydney', lat: -33.8678, lng: 151.2073 },
  { state: 'VIC', city: 'Melbourne', lat: -37.8136, lng: 144.9631 },
  { state: 'QLD', city: 'Brisbane', lat: -27.4679, lng: 153.0281 },
  { state: 'SA', city: 'Adelaide', lat: -34.9269, lng: 138.5999 },
  { state: 'WA', city: 'Perth', lat: -31.9513, lng: 115.859 },
  { state: 'TAS', city: 'Hobart', lat: -42.8826, lng: 147.3303 },
  { state: 'NT', city: 'Darwin', lat: -12.463, lng: 130.8433 },
  { state: 'ACT', city: 'Canberra', lat: -35.2787, lng: 149.1287 },
]

/** The IANA time zone of an address. */
export function getZoneName(state: State, postCode: string): string {
  return ZONE_OF_POST_CODE[`${state} ${postCode}`] ?? ZONE_OF_STATE[state]
}

const ZONE_OF_STATE: Readonly<Record<State, string>> = {
  NSW: 'Australia/Sydney',
  VIC: 'Australia/Melbourne',
  QLD: 'Australia/Brisbane',
  SA: 'Australia/Adelaide',
  WA: 'Australia/Perth',
  TAS: 'Australia/Hobart',
  NT: 'Australia/Darwin',
  ACT: 'Australia/Sydney',
}

/** Places that do not keep their state's time. Eucla's +8:45 is left out: postcode 6443 extends far beyond it. */
const ZONE_OF_POST_CODE: Readonly<Record<string, string>> = {
  'NSW 2880': 'Australia/Broken_Hill',
  'NSW 2898': 'Australia/Lord_Howe',
  'NSW 2899': 'Pacific/Norfolk',
  'WA 6798': 'Indian/Christmas',
  'WA 6799': 'Indian/Cocos',
}

/** The state that somebody wrote: its abbreviation, name or ISO 3166-2 code, in any case. */
export function findState(text: string): State | undefined {
  const written = text
    .trim()
    .replace(/[.\s]+/g, ' ')
    .toUpperCase()
  const short = written.replace(/^AU-|[ ]/g, '')
  return STATES.find((state) => state === short) ?? NAMES.get(written.trim())
}

const NAMES: ReadonlyMap<string, State> = new Map([
  ['NEW SOUTH WALES', 'NSW'],
  ['VICTORIA', 'VIC'],
  ['QUEENSLAND', 'QLD'],
  ['SOUTH AUSTRALIA', 'SA'],
  ['WESTERN AUSTRALIA', 'WA'],
  ['TASMANIA', 'TAS'],
  ['NORTHERN TERRITORY', 'NT'],
  ['AUSTRALIAN CAPITAL TERRITORY', 'ACT'],
])

/** What `findState` reads, as a pattern without flags for JSON Schema. Dots and further blanks are read, too. */
export const STATE_PATTERN = `^(${[...STATES.flatMap((state) => [state, `AU-${state}`]), ...NAMES.keys()]
  .map((word) => word.replace(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`))
  .join('|')})$`
