/** Sandbox scenarios: how the end of a merchant's reference controls the sandbox carriers. */
export const SCENARIOS = [
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
export type Scenario = (typeof SCENARIOS)[number] | 'ordinary'

/**
 * The scenario of a manifest: from the first delivery on it whose reference names one, as in
 * `A1-slow-manifest`.
 */
export function manifestScenarioOf(merchantReferences: readonly string[]): Scenario {
  const asking = merchantReferences.find((reference) => reference.endsWith(MANIFEST))
  return asking === undefined ? 'ordinary' : scenarioOf(asking.slice(0, -MANIFEST.length))
}

const MANIFEST = '-manifest'

/** The scenario of a reference. Suffixes don't combine: in `A1-slow-damaged` only the last one counts. */
export function scenarioOf(merchantReference: string): Scenario {
  return SCENARIOS.find((scenario) => merchantReference.endsWith(`-${scenario}`)) ?? 'ordinary'
}

/**
 * The charge of a sandbox carrier, in cents incl. GST: the agreed price, which is the account's rate card, so
 * that manifests reconcile with quotes. The scenario `-dearer` charges a fifth more. `agreedCents` null: a
 * caller that sends no agreed price pays the list price.
 */
export function chargeCents(merchantReference: string, agreedCents: number | null, totalKg: number): number {
  const cents = agreedCents ?? LIST_BASE_CENTS + Math.round(LIST_CENTS_PER_KG * totalKg)
  return scenarioOf(merchantReference) === 'dearer' ? Math.round(cents * DEARER) : cents
}

const LIST_BASE_CENTS = 900
const LIST_CENTS_PER_KG = 60
const DEARER = 1.2
