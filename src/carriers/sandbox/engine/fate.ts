/** Sandbox scenarios: how the end of a merchant's reference controls the sandbox carriers. */
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

/**
 * The scenario of a manifest: from the first delivery on it whose reference names one, as in
 * `A1-slow-manifest`.
 */
export function manifestFateOf(merchantReferences: readonly string[]): Fate {
  const asking = merchantReferences.find((reference) => reference.endsWith(MANIFEST))
  return asking === undefined ? 'ordinary' : fateOf(asking.slice(0, -MANIFEST.length))
}

const MANIFEST = '-manifest'

/** The scenario of a reference. Suffixes don't combine: in `A1-slow-damaged` only the last one counts. */
export function fateOf(merchantReference: string): Fate {
  return FATES.find((fate) => merchantReference.endsWith(`-${fate}`)) ?? 'ordinary'
}
