/** What a merchant's reference may ask of the sandbox carriers, by how it ends. */
export const FATES = [
  'rejected',
  'down',
  'slow',
  'lost-answer',
  'duplicate-events',
  'late-events',
  'damaged',
  'returned',
] as const
export type Fate = (typeof FATES)[number] | 'ordinary'

/** The fate of a reference. Suffixes do not combine: in `A1-slow-damaged` only the last one counts. */
export function fateOf(merchantReference: string): Fate {
  return FATES.find((fate) => merchantReference.endsWith(`-${fate}`)) ?? 'ordinary'
}
