import localities from '../../../src/domain/geo/localities.generated.json' with { type: 'json' }

export type Suburb = { suburb: string; postCode: string; state: string }

const MOST = 8
let all: Suburb[] | null = null

/** Suburbs that begin so, and those of a postcode; `near` is the store's state, whose own come first. */
export function suburbsLike(text: string, near: string): Suburb[] {
  const wanted = text.trim().toLowerCase()
  if (wanted.length < 2) return []
  all ??= localities.flatMap(suburbsOf)
  const found = all.filter(
    ({ suburb, postCode }) => suburb.toLowerCase().startsWith(wanted) || postCode === wanted,
  )
  const ranked = found.sort(
    (a, b) => Number(b.state === near) - Number(a.state === near) || a.suburb.length - b.suburb.length,
  )
  return ranked.slice(0, MOST)
}

export function suburbWords({ suburb, postCode, state }: Suburb): string {
  return `${suburb} ${state} ${postCode}`
}

/** Reads `3065 VIC Fitzroy,-377975,1449805;…`. */
function suburbsOf(line: string): Suburb[] {
  const postCode = line.slice(0, 4)
  const state = line.slice(5, line.indexOf(' ', 5))
  const names = line.slice(6 + state.length).split(';')
  return names.map((name) => ({ suburb: name.slice(0, name.indexOf(',')), postCode, state }))
}
