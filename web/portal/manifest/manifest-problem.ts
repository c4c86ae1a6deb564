import type { Manifest } from '../../shared/api.generated.ts'

/** The problem of a manifest, and its remedy. */
type ManifestProblem = { cause: string; remedy: string | null }

/** Null without a problem. */
export function findManifestProblem(manifest: Manifest): ManifestProblem | null {
  const cause = CAUSES[manifest.status]?.(manifest)
  return cause === undefined ? null : { cause, remedy: manifest.status_remedy ?? null }
}

const CAUSES: Readonly<Record<Manifest['status'], ((manifest: Manifest) => string) | null>> = {
  draft: null,
  submitting: ({ carrier_provider, submit_attempt }) =>
    submit_attempt === 'waiting'
      ? `We couldn’t reach ${carrier_provider}.`
      : `${carrier_provider} hasn’t answered yet.`,
  submitted: null,
  discarded: null,
  on_hold: ({ carrier_provider, status_reason }) => status_reason ?? `${carrier_provider} didn’t answer.`,
  refused: ({ carrier_provider, status_reason }) =>
    status_reason ?? `${carrier_provider} refused the manifest.`,
}
