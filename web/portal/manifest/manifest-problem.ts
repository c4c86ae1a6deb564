import type { Manifest } from '../../shared/api.generated.ts'
import { sentences } from '../today/classify.ts'

/** The problem of a manifest, and its remedy. */
type ManifestProblem = { cause: string; remedy: string | null }

/** Null without a problem. */
export function findManifestProblem(manifest: Manifest): ManifestProblem | null {
  return PROBLEMS[manifest.status]?.(manifest) ?? null
}

const PROBLEMS: Readonly<Record<Manifest['status'], ((manifest: Manifest) => ManifestProblem) | null>> = {
  draft: null,
  submitting: ({ carrier_provider, status_reason, submit_attempt }) => ({
    cause: status_reason ? sentences(status_reason).cause : `${carrier_provider} has not answered yet.`,
    remedy: SUBMITTING_REMEDIES[submit_attempt ?? 'in_progress'](carrier_provider),
  }),
  submitted: null,
  discarded: null,
  on_hold: ({ carrier_provider, status_reason }) => ({
    cause: sentences(status_reason).cause,
    remedy: `Ask ${carrier_provider} whether they have it, then settle it. Until you do, its deliveries wait.`,
  }),
  refused: ({ carrier_provider, status_reason, counts }) => ({
    cause: status_reason ?? `${carrier_provider} said no.`,
    remedy: counts.deliveries > 0 ? 'Its deliveries can go on a manifest again.' : null,
  }),
}

const SUBMITTING_REMEDIES: Readonly<
  Record<NonNullable<Manifest['submit_attempt']>, (carrier: string) => string>
> = {
  in_progress: () => 'Wait: we’re sending it.',
  waiting: () => 'Nothing was sent. We’ll try again. To use another carrier, discard it.',
  unanswered: (carrier) =>
    `We keep asking. If it is urgent, ask ${carrier} whether they have it, then settle it.`,
}
