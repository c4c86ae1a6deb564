import { Link } from '@tanstack/react-router'
import type { Manifest } from '../../shared/api.generated.ts'
import { count } from '../../shared/count.ts'
import { formatMoment } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { ManifestButtons } from './manifest-buttons.tsx'
import { formatConflict, formatOtherManifests } from './manifest-conflicts.ts'
import { ManifestProblemText, ManifestState } from './manifest-state.tsx'
import type { Submitted } from './use-submit.ts'

type ManifestResultsProps = {
  created: readonly Manifest[]
  /** The manifest whose summary is printed next. */
  next: Manifest | undefined
}

/** The result of each manifest, one by one. */
export function ManifestResults({ created, next }: ManifestResultsProps) {
  return (
    <ul className="made" aria-live="polite">
      {created.map((manifest) => (
        <li key={manifest.id} className="sheet pad">
          <h2>
            {manifest.carrier_provider} <small>{manifest.manifest_group}</small>
          </h2>
          <p>
            <ManifestState status={manifest.status} />{' '}
            {manifest.external_ref.order_id && <span className="mono">{manifest.external_ref.order_id}</span>}
          </p>
          <ManifestProblemText manifest={manifest} />
          <p className="dim">
            {count(manifest.counts.deliveries, 'delivery', 'deliveries')},{' '}
            {count(manifest.counts.items, 'parcel')}
          </p>
          <div className="row-of-buttons">
            <ManifestButtons manifest={manifest} size="" next={manifest === next} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function formatOvertaken(deliveries: number, isAll: boolean): string {
  if (deliveries === 1) return `${isAll ? 'This' : 'One'} delivery was already on a manifest.`
  return `${isAll ? 'All these' : 'Some'} deliveries were already on a manifest.`
}

/** Another clerk was faster, or this one pressed twice: names the manifest of those deliveries and of the others. */
export function ConflictNotice({ last, known }: { last: Submitted; known: readonly Manifest[] }) {
  const { store, nowMs } = usePortal()
  const sentences = last.conflicts.map((one) => {
    const found = known.find(({ id }) => id === one.manifestId) ?? null
    const created = found ? formatMoment(Date.parse(found.created_at), store.time_zone, nowMs()) : ''
    return formatConflict(one, found, created)
  })
  return (
    <div className="state overtaken" role="status">
      <h2>
        {formatOvertaken(
          last.conflicts.reduce((sum, { references }) => sum + references.length, 0),
          last.created.length === 0,
        )}
      </h2>
      <p>
        {sentences.join(' ')} {formatOtherManifests(known.filter(({ id }) => last.created.includes(id)))}
      </p>
      <Link to="/manifests" className="b">
        See the manifests
      </Link>
    </div>
  )
}
