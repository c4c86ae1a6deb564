import {
  type ManifestAction,
  type ManifestFacts,
  whyNotManifest,
} from '../../../src/domain/manifests/manifest-actions.ts'
import type { Manifest } from '../../shared/api.generated.ts'
import { count } from '../../shared/count.ts'
import { formatList } from '../../shared/format-list.ts'

/** `disabledReason` is the reason why the action is disabled, and the alternative. */
export type ManifestOffer = { action: ManifestAction; disabledReason: string | null }

/**
 * The buttons of a manifest. Actions that its state excludes are hidden; a submit that its deliveries exclude has a
 * reason.
 */
export function manifestActionsOf(manifest: Manifest): ManifestOffer[] {
  const facts = manifestFactsIn(manifest)
  return (['submit', 'settle', 'discard'] as const).flatMap((action): ManifestOffer[] => {
    const why = whyNotManifest(action, facts)
    if (why === null) return [{ action, disabledReason: null }]
    return why === 'ineligible' ? [{ action, disabledReason: formatIneligible(manifest) }] : []
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

function formatIneligible({ manifest_deliveries }: Manifest): string {
  const leftOut = manifest_deliveries.filter(({ not_eligible }) => not_eligible !== undefined)
  const others = manifest_deliveries.length - leftOut.length
  const cause = `${formatList(leftOut.map(({ reference }) => reference))} can no longer go on this manifest.`
  if (others === 0) return `${cause} Discard this manifest.`
  const rest = others === 1 ? 'delivery' : 'deliveries'
  return `${cause} Discard this manifest, and create a new one for the other ${rest}.`
}

/** What happens when a manifest is discarded. */
export function formatDiscard({ status, carrier_provider, manifest_deliveries }: Manifest): string {
  const all = manifest_deliveries.length
  const free = manifest_deliveries.filter(({ not_eligible }) => not_eligible === undefined).length
  const end = `We won’t send this manifest to ${carrier_provider}${status === 'refused' ? ' again' : ''}.`
  if (free === 0) return end
  const deliveries = all === 1 ? 'delivery' : count(all, 'delivery', 'deliveries')
  const some = free === all ? `Its ${deliveries}` : `${free.toLocaleString('en-AU')} of its ${deliveries}`
  return `${end} ${some} can go on another one.`
}
