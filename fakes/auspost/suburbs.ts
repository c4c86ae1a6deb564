import localities from '../../src/domain/geo/localities.generated.json' with { type: 'json' }
import { suburbKey } from '../../src/domain/geo/localities.ts'

/** `3065 VIC` → `Fitzroy,-377975,1449805;…`, with street addresses only: post boxes are not known here. */
let table: ReadonlyMap<string, string> | null = null

/** The suburbs of a postcode in a state; empty when the two do not match. */
export function suburbsOf(state: string, postcode: string): string[] {
  const line = lines().get(`${postcode} ${state.toUpperCase()}`)
  return line === undefined ? [] : line.split(';').map((place) => place.split(',')[0] ?? '')
}

export function hasSuburb(suburb: string, state: string, postcode: string): boolean {
  const key = suburbKey(suburb)
  return suburbsOf(state, postcode).some((known) => suburbKey(known) === key)
}

/** The states that a postcode is in; empty when it is unknown. */
export function statesOf(postcode: string): string[] {
  return STATES.filter((state) => lines().has(`${postcode} ${state}`))
}

export const STATES: readonly string[] = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']

function lines(): ReadonlyMap<string, string> {
  table ??= new Map(
    localities.map((line) => {
      const [postcode, state] = line.split(' ', 2)
      const key = `${postcode} ${state}`
      return [key, line.slice(key.length + 1)] as const
    }),
  )
  return table
}
