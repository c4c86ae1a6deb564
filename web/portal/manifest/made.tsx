import { Link } from '@tanstack/react-router'
import type { Manifest } from '../../shared/api.generated.ts'
import { count } from '../../shared/count.ts'
import { momentWords } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { Acts } from './acts.tsx'
import { ManifestState, PlightWords } from './manifest-state.tsx'
import { restWords, takenWords } from './taken.ts'
import type { Submitted } from './use-submit.ts'

type MadeProps = {
  made: readonly Manifest[]
  /** The manifest whose summary is printed next. */
  next: Manifest | undefined
}

/** The result of each manifest, one by one. */
export function Made({ made, next }: MadeProps) {
  return (
    <ul className="made" aria-live="polite">
      {made.map((manifest) => (
        <li key={manifest.id} className="sheet pad">
          <h2>
            {manifest.carrier_provider} <small>{manifest.manifest_group}</small>
          </h2>
          <p>
            <ManifestState status={manifest.status} />{' '}
            {manifest.external_ref.order_id && <span className="mono">{manifest.external_ref.order_id}</span>}
          </p>
          <PlightWords manifest={manifest} />
          <p className="dim">
            {count(manifest.counts.deliveries, 'delivery', 'deliveries')},{' '}
            {count(manifest.counts.items, 'parcel')}
          </p>
          <div className="row-of-buttons">
            <Acts manifest={manifest} size="" next={manifest === next} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Another clerk was faster, or it was pressed twice: names the manifest that has them, and where the rest is. */
export function Overtaken({ last, known }: { last: Submitted; known: readonly Manifest[] }) {
  const { store, nowMs } = usePortal()
  const sentences = last.taken.map((one) => {
    const found = known.find(({ id }) => id === one.manifestId) ?? null
    const made = found ? momentWords(Date.parse(found.created_at), store.time_zone, nowMs()) : ''
    return takenWords(one, found, made)
  })
  return (
    <div className="state overtaken" role="status">
      <h2>
        {last.made.length === 0 ? 'Nothing was left to manifest.' : 'Some of it was on a manifest already.'}
      </h2>
      <p>
        {sentences.join(' ')} {restWords(known.filter(({ id }) => last.made.includes(id)))}
      </p>
      <Link to="/manifests" className="b">
        See the manifests
      </Link>
    </div>
  )
}
