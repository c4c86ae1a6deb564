import { Link } from '@tanstack/react-router'
import { MANIFEST_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import { count } from '../../shared/count.ts'
import { type Axis, placeOn } from '../../shared/day-rail.tsx'
import { Badge } from '../../shared/status-badge.tsx'
import { clockWords, formatDuration } from '../../shared/times.ts'
import { vars } from '../../shared/vars.ts'
import { useFlash } from '../rows/use-flash.ts'
import { isOn } from './axis.tsx'
import { type Close, nextOf, soonOf, type ToManifest } from './to-manifest.ts'

type LineProps = { line: ToManifest; axis: Axis; zone: string; nowMs: number }

const NONE_LEFT = { hue: 'done', shape: 'sheet-tick', word: MANIFEST_WORDS.manifested } as const
const CLOSING = { hue: 'stop', shape: 'triangle', word: 'Closing' } as const
const OPEN = { hue: 'wait', shape: 'sheet', word: 'To manifest' } as const

/** One carrier's deliveries without a manifest; near its cut-off it says what will miss it. */
export function ManifestLine({ line, axis, zone, nowMs }: LineProps) {
  const next = nextOf(line, nowMs)
  const soon = soonOf(line, nowMs)
  const later = line.closings.filter(({ atMs }) => next !== null && atMs > next.atMs).length
  const isOver = line.deliveries === 0
  const badge = isOver ? NONE_LEFT : soon ? CLOSING : OPEN
  const flash = useFlash(badge.word, badge.hue)
  return (
    <li className={`row line${soon ? ' two' : ''}${flash}`}>
      <span />
      <span className="judged">
        <Badge {...badge} />
      </span>
      <span className="who">
        {isOver ? (
          <b>All parcels</b>
        ) : (
          <>
            <b>{count(line.units, 'parcel')}</b> <span className="dim">not on a manifest</span>
          </>
        )}
      </span>
      <span className="to">
        <b>{line.carrier}</b>
      </span>
      <span className="car">
        {next && (
          <>
            <b>{next.service}</b> {later > 0 ? 'closes first' : 'closes'}
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
      <span className="when">
        {next && !isOver && `at ${clockWords(next.atMs, zone)}`}
        {!next && line.closings.length > 0 && 'closed for today'}
      </span>
      <span className="act">
        {!isOver && (
          <Link
            to="/manifest"
            search={{ carrier: line.carrier }}
            className="b s"
            aria-label={`Manifest deliveries for ${line.carrier}`}
          >
            Manifest
          </Link>
        )}
      </span>
      {soon && (
        <p className="note">
          <b>
            {soon.service} closes in {formatDuration(soon.atMs - nowMs)}.
          </b>{' '}
          {formatLoss(soon, line)}
        </p>
      )}
    </li>
  )
}

function formatLoss({ deliveries }: Close, line: ToManifest): string {
  const some = `of the ${count(line.deliveries, 'delivery', 'deliveries')} for ${line.carrier}`
  if (deliveries === line.deliveries)
    return 'Deliveries that aren’t on a manifest by the cut-off will wait until the next pickup day.'
  return deliveries === 1
    ? `1 ${some} will wait until the next pickup day if it isn’t on a manifest by the cut-off.`
    : `${deliveries} ${some} will wait until the next pickup day if they aren’t on a manifest by the cut-off.`
}
