import { Link } from '@tanstack/react-router'
import { count } from '../../shared/count.ts'
import { type Axis, placeOn } from '../../shared/day-rail.tsx'
import { Badge } from '../../shared/status-badge.tsx'
import { clockWords } from '../../shared/times.ts'
import { vars } from '../../shared/vars.ts'
import { isOn } from './axis.tsx'
import type { ToManifest } from './to-manifest.ts'

/** One carrier's deliveries that are on no manifest yet. */
export function ManifestLine({
  line,
  axis,
  zone,
  nowMs,
}: {
  line: ToManifest
  axis: Axis
  zone: string
  nowMs: number
}) {
  const next = line.closings.find(({ atMs }) => atMs >= nowMs)
  return (
    <li className="row line">
      <span />
      <Badge hue="wait" shape="sheet" word="To manifest" />
      <span className="who">
        <b>{count(line.units, 'parcel')}</b> <span className="dim">on no manifest</span>
      </span>
      <span className="to">
        <b>{line.carrier}</b>
      </span>
      <span className="car">
        {next && (
          <>
            <b>{next.service}</b> first
          </>
        )}
      </span>
      <span className="rail" aria-hidden="true">
        {line.closings
          .filter(({ atMs }) => isOn(axis, atMs))
          .map(({ service, atMs }) => (
            <i key={service} className="shut" style={vars({ a: placeOn(axis, atMs) })} />
          ))}
      </span>
      <span className="when">{next ? `by ${clockWords(next.atMs, zone)}` : 'closed for today'}</span>
      <span className="act">
        <Link to="/manifest" className="b s" aria-label={`Manifest ${line.carrier}`}>
          Manifest
        </Link>
      </span>
    </li>
  )
}
