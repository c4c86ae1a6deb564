import { Link } from '@tanstack/react-router'
import type { Manifest } from '../../shared/api.generated.ts'
import { localAddress } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Glyph, type GlyphShape } from '../../shared/glyph.tsx'
import { Icon } from '../../shared/icon.tsx'

/** A state of a manifest in words; what the server has confirmed and nothing else. */
export const MANIFEST_STATE: Readonly<
  Record<Manifest['status'], { word: string; hue: string; shape: GlyphShape }>
> = {
  draft: { word: 'Draft', hue: 'wait', shape: 'sheet' },
  submitting: { word: 'Being submitted', hue: 'go', shape: 'sheet-line' },
  submitted: { word: 'Submitted', hue: 'done', shape: 'sheet-tick' },
  on_hold: { word: 'On hold', hue: 'stop', shape: 'diamond' },
  refused: { word: 'Refused', hue: 'stop', shape: 'diamond' },
}

export function ManifestState({ status }: { status: Manifest['status'] }) {
  const { word, hue, shape } = MANIFEST_STATE[status]
  return (
    <span className={`st k-${hue}`}>
      <Glyph shape={shape} /> {word}
    </span>
  )
}

/** What became of each paper, one by one; printing the summaries is next. */
export function Made({ manifests }: { manifests: readonly Manifest[] }) {
  if (manifests.length === 0) {
    return (
      <div className="state">
        <h2>Nothing was left to manifest.</h2>
        <p>Somebody was faster: all of it is on manifests already.</p>
        <Link to="/manifests" className="b">
          See the manifests
        </Link>
      </div>
    )
  }
  return (
    <ul className="made">
      {manifests.map((manifest, index) => (
        <li key={manifest.id} className="sheet pad">
          <h2>
            {manifest.carrier_provider} <small>{manifest.manifest_group}</small>
          </h2>
          <p>
            <ManifestState status={manifest.status} />{' '}
            {manifest.external_ref.order_id && <span className="mono">{manifest.external_ref.order_id}</span>}
          </p>
          {manifest.status_reason && <p className="dim">{manifest.status_reason}</p>}
          <p className="dim">
            {count(manifest.counts.deliveries, 'delivery', 'deliveries')},{' '}
            {count(manifest.counts.items, 'parcel')}
          </p>
          {manifest.order_summary_url && (
            <a
              className={index === 0 ? 'b next' : 'b'}
              href={localAddress(manifest.order_summary_url)}
              target="_blank"
              rel="noreferrer"
            >
              <Icon name="print" /> Print the summary
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
