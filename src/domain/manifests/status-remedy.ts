import type { Manifest, ManifestState } from './manifest.ts'
import { getSubmitAttempt, type SubmitAttempt } from './manifest-actions.ts'

type Waiting = Pick<Manifest, 'state' | 'submissionState' | 'isLeased' | 'deliveries' | 'carrierName'>

/** What a person can do about a manifest that is not submitted; null where there is nothing to do. */
export function findStatusRemedy(manifest: Waiting): string | null {
  return REMEDIES[manifest.state](manifest)
}

const nothing = () => null

const REMEDIES: Readonly<Record<ManifestState, (manifest: Waiting) => string | null>> = {
  draft: nothing,
  submitted: nothing,
  discarded: nothing,
  submitting: (manifest) => SUBMITTING[getSubmitAttempt(manifest) ?? 'in_progress'](manifest.carrierName),
  on_hold: ({ carrierName }) =>
    `Ask ${carrierName} whether they have it, then record their answer. Its deliveries wait until you do.`,
  refused: ({ deliveries }) => (deliveries > 0 ? 'You can put its deliveries on another manifest.' : null),
}

const SUBMITTING: Readonly<Record<SubmitAttempt, (carrierName: string) => string>> = {
  in_progress: () => 'Wait while we send it.',
  waiting: () => 'Nothing was sent. We’ll try again. To use another carrier, discard it.',
  unanswered: (carrierName) =>
    `We keep asking. If it’s urgent, ask ${carrierName} whether they have it, then record their answer.`,
}
