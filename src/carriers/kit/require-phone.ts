import type { Consignment, Outcome } from '../port/carrier.ts'

const MESSAGES = {
  from: 'it needs a phone number at the pickup',
  to: 'it needs a phone number at the drop-off',
} as const

/** A no if a required phone number is missing at one of these ends, and no other number can replace it. */
export function requirePhone(
  { from, to }: Pick<Consignment, 'from' | 'to'>,
  ends: readonly (keyof typeof MESSAGES)[],
  standIn: string | null,
): Outcome<never> | null {
  const phones = { from: from.phone ?? standIn, to: to.phone ?? standIn }
  const lacking = ends.find((end) => !phones[end])
  return lacking ? { kind: 'no', retry: 'another_carrier', message: MESSAGES[lacking] } : null
}
