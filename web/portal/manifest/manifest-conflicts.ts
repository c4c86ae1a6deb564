import type { Manifest } from '../../shared/api.generated.ts'
import { formatList } from '../../shared/format-list.ts'
import { toProblem } from '../../shared/problem.ts'

/** Deliveries that were already on this manifest when the request came. */
export type ManifestConflict = { manifestId: string; references: readonly string[] }

/** Deliveries already on a manifest, if that is the only error and the rest can be submitted; otherwise null. */
export function toManifestConflicts(error: unknown): ManifestConflict[] | null {
  const { body, errors } = toProblem(error)
  const { on_manifests: held = [] } = body as {
    on_manifests?: { manifest_id: string; delivery_references: string[] }[]
  }
  const conflicts = held.map((one) => ({ manifestId: one.manifest_id, references: one.delivery_references }))
  const named = conflicts.flatMap(({ references }) => references)
  return named.length > 0 && named.length === errors.length ? conflicts : null
}

/** The manifest of these deliveries. `found` is that manifest, `created` its time; null until they are loaded. */
export function formatConflict(
  { references }: ManifestConflict,
  found: Manifest | null,
  created: string,
): string {
  const which = `${formatList(references)} ${references.length === 1 ? 'is' : 'are'}`
  if (!found) return `${which} on another manifest.`
  const { carrier_provider, external_ref } = found
  return `${which} on ${external_ref.order_id ? `manifest ${external_ref.order_id}` : 'a manifest'} for ${carrier_provider}, created ${created}.`
}

/** The manifests of the other deliveries; null if none has any of them. */
export function formatOtherManifests(rest: readonly Manifest[]): string | null {
  const holding = rest.filter(({ status }) => status !== 'refused' && status !== 'discarded')
  const drafts = holding.filter(({ status }) => status === 'draft').length
  const others = holding.reduce((sum, { counts }) => sum + counts.deliveries, 0)
  if (others === 0) return null
  const papers = holding
    .filter(({ status }) => status !== 'draft')
    .map(({ external_ref, carrier_provider }) =>
      external_ref.order_id ? `manifest ${external_ref.order_id}` : `the manifest for ${carrier_provider}`,
    )
  const where = [...new Set(papers), ...(drafts > 0 ? [drafts === 1 ? 'a draft' : `${drafts} drafts`] : [])]
  return `The other ${others === 1 ? 'delivery is' : `${others.toLocaleString('en-AU')} deliveries are`} on ${formatList(where)}.`
}
