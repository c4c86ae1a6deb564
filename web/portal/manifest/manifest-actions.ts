import {
  type ManifestAction,
  type ManifestFacts,
  whyNotManifest,
} from '../../../src/domain/manifests/manifest-actions.ts'
import type { Manifest } from '../../shared/api.generated.ts'
import { formatList } from '../../shared/format-list.ts'

/** `closed` is the reason why the action is disabled, and the alternative. */
export type ManifestOffer = { action: ManifestAction; closed: string | null }

/**
 * The buttons of a manifest. Actions that its state excludes are hidden; a submit that its deliveries exclude has a
 * reason.
 */
export function manifestActionsOf(manifest: Manifest): ManifestOffer[] {
  const facts = manifestFactsIn(manifest)
  return (['submit', 'settle', 'discard'] as const).flatMap((action): ManifestOffer[] => {
    const why = whyNotManifest(action, facts)
    if (why === null) return [{ action, closed: null }]
    return why === 'ineligible' ? [{ action, closed: formatIneligible(manifest) }] : []
  })
}

/** The fields of the response that decide about actions. */
export function manifestFactsIn({ status, submit_attempt, manifest_deliveries }: Manifest): ManifestFacts {
  return {
    state: status,
    attempt: submit_attempt ?? null,
    hasIneligible: manifest_deliveries.some(({ not_eligible }) => not_eligible !== undefined),
  }
}

const MAX_NAMED = 3

function formatIneligible({ manifest_deliveries }: Manifest): string {
  const leftOut = manifest_deliveries.filter(({ not_eligible }) => not_eligible !== undefined)
  const named = leftOut.slice(0, MAX_NAMED).map(({ reference }) => reference)
  const more = leftOut.length - named.length
  const which = formatList(more > 0 ? [...named, `${more} more`] : named)
  return `${which} can no longer go on this manifest. Discard it, and create a new one for the other deliveries.`
}
