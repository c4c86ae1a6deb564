import type { ManifestState } from './manifest.ts'

/** The state of a submission whose outcome is open. `in_progress`: a process is asking the carrier now. `waiting`: the
 * carrier could not be reached, so nothing was sent. `unanswered`: the carrier may have it.
 */
export const SUBMIT_ATTEMPTS = ['in_progress', 'waiting', 'unanswered'] as const
export type SubmitAttempt = (typeof SUBMIT_ATTEMPTS)[number]

/** Everything that decides which actions a manifest allows. */
export type ManifestFacts = {
  state: ManifestState
  attempt: SubmitAttempt | null
  /** One of its deliveries can no longer go on it: cancelled, on another manifest, with another carrier. */
  hasIneligible: boolean
}

export const MANIFEST_ACTIONS = ['submit', 'settle', 'discard'] as const
export type ManifestAction = (typeof MANIFEST_ACTIONS)[number]
export type WhyNotManifest =
  | 'submitted'
  | 'discarded'
  | 'in_progress'
  | 'unanswered'
  | 'answered'
  | 'ineligible'

type Guard = readonly [why: WhyNotManifest, when: (facts: ManifestFacts) => boolean]

const ENDED: readonly Guard[] = [
  ['submitted', ({ state }) => state === 'submitted'],
  ['discarded', ({ state }) => state === 'discarded'],
]
const isInProgress = ({ attempt }: ManifestFacts) => attempt === 'in_progress'
const isOutcomeUnknown = ({ attempt }: ManifestFacts) => attempt === 'unanswered'

/** The rules of each action in their order: the first that holds is why the action is refused. */
const GUARDS: Readonly<Record<ManifestAction, readonly Guard[]>> = {
  submit: [
    ...ENDED,
    ['unanswered', isOutcomeUnknown],
    ['in_progress', ({ state }) => state === 'submitting'],
    ['ineligible', ({ hasIneligible }) => hasIneligible],
  ],
  settle: [
    ['in_progress', isInProgress],
    ['answered', (facts) => !isOutcomeUnknown(facts)],
  ],
  // Nothing of it is at the carrier: it was not sent, or the carrier refused it.
  discard: [...ENDED, ['unanswered', isOutcomeUnknown], ['in_progress', isInProgress]],
}

/** Why the manifest does not allow this action now, or null. The API's operations and the portal share this check. */
export function whyNotManifest(action: ManifestAction, facts: ManifestFacts): WhyNotManifest | null {
  return GUARDS[action].find(([, when]) => when(facts))?.[0] ?? null
}

/** `isLeased`: a process is working on it now. */
export function getSubmitAttempt({
  state,
  submissionState,
  isLeased,
}: {
  state: ManifestState
  submissionState: 'sent' | 'unknown' | null
  isLeased: boolean
}): SubmitAttempt | null {
  if (state === 'on_hold') return 'unanswered'
  if (state !== 'submitting') return null
  if (isLeased) return 'in_progress'
  return submissionState === null ? 'waiting' : 'unanswered'
}
