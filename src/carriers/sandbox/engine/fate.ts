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
  'dearer',
] as const
export type Fate = (typeof FATES)[number] | 'ordinary'

/** The fate of a manifest: of the first delivery on it whose reference asks for one, as in `A1-slow-manifest`. */
export function manifestFateOf(merchantReferences: readonly string[]): Fate {
  const asking = merchantReferences.find((reference) => reference.endsWith(MANIFEST))
  return asking === undefined ? 'ordinary' : fateOf(asking.slice(0, -MANIFEST.length))
}

const MANIFEST = '-manifest'

/** The fate of a reference. Suffixes do not combine: in `A1-slow-damaged` only the last one counts. */
export function fateOf(merchantReference: string): Fate {
  return FATES.find((fate) => merchantReference.endsWith(`-${fate}`)) ?? 'ordinary'
}
