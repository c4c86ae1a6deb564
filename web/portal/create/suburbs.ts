import localities from '../../../src/domain/geo/localities.generated.json' with { type: 'json' }
import { suburbKey } from '../../../src/domain/geo/localities.ts'

export type Suburb = { suburb: string; postCode: string; state: string }

const MOST = 8
let all: Suburb[] | null = null

/** Suburbs with this prefix, or those of a postcode; `near` is the store's state, whose suburbs come first. */
export function suburbsLike(text: string, near: string): Suburb[] {
  const wanted = text.trim().toLowerCase()
  if (wanted.length < 2) return []
  const found = everySuburb().filter(
    ({ suburb, postCode }) => suburb.toLowerCase().startsWith(wanted) || postCode === wanted,
  )
  const ranked = found.sort(
    (a, b) => Number(b.state === near) - Number(a.state === near) || a.suburb.length - b.suburb.length,
  )
  return ranked.slice(0, MOST)
}

/** A suburb that is known, but not under this postcode: its places, and the suburbs of the postcode. */
export type Contradiction = { ofSuburb: Suburb[]; ofPostCode: Suburb[] }

const MAX_CHOICES = 3

export function contradictionIn(city: string, postCode: string): Contradiction | null {
  const key = suburbKey(city)
  const ofSuburb = everySuburb().filter(({ suburb }) => suburbKey(suburb) === key)
  const ofPostCode = everySuburb().filter((one) => one.postCode === postCode)
  if (ofSuburb.length === 0 || ofPostCode.length === 0) return null
  if (ofSuburb.some((one) => one.postCode === postCode)) return null
  const isNear = (one: Suburb) => one.state === ofPostCode[0]?.state
  ofSuburb.sort((a, b) => Number(isNear(b)) - Number(isNear(a)))
  return { ofSuburb: ofSuburb.slice(0, MAX_CHOICES), ofPostCode: ofPostCode.slice(0, MAX_CHOICES) }
}

function everySuburb(): Suburb[] {
  all ??= localities.flatMap(suburbsOf)
  return all
}

export function formatSuburb({ suburb, postCode, state }: Suburb): string {
  return `${suburb} ${state} ${postCode}`
}

/** Reads `3065 VIC Fitzroy,-377975,1449805;…`. */
function suburbsOf(line: string): Suburb[] {
  const postCode = line.slice(0, 4)
  const state = line.slice(5, line.indexOf(' ', 5))
  const names = line.slice(6 + state.length).split(';')
  return names.map((name) => ({ suburb: name.slice(0, name.indexOf(',')), postCode, state }))
}
