import type { Stop } from '../carrier.ts'

/** Longest texts that the API takes. */
const NAME = 40
const EMAIL = 50
const INSTRUCTIONS = 128

/** An end of the road. Null: its street does not fit on their labels, which have `most` lines for it. */
export function formatParty(stop: Stop, instructions: string | null, most: number) {
  const lines = linesOf([stop.address2, stop.address].filter(Boolean).join(', '), most)
  if (!lines) return null
  return {
    ...placeOf(stop),
    name: cut(stop.name, NAME),
    ...(stop.company === null ? {} : { business_name: cut(stop.company, NAME) }),
    lines,
    country: 'AU',
    ...(stop.phone === null ? {} : { phone: stop.phone }),
    ...(stop.email === null || stop.email.length > EMAIL ? {} : { email: stop.email }),
    ...(instructions === null ? {} : { delivery_instructions: cut(instructions, INSTRUCTIONS) }),
  }
}

export function placeOf({ city, state, postCode }: Pick<Stop, 'city' | 'state' | 'postCode'>) {
  return { suburb: cut(city, NAME), state, postcode: postCode }
}

/** A street broken at its words into lines of 40 characters; null where that takes more lines than there are. */
function linesOf(street: string, most: number): string[] | null {
  const lines: string[] = []
  for (const word of street.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= NAME) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length <= most && lines.every((line) => line.length <= NAME) ? lines : null
}

export function cut(text: string, most: number): string {
  return text.slice(0, most).toWellFormed()
}
