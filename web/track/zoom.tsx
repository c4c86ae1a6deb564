import { formatClock, type Wall } from '../../src/domain/calendar/format-window.ts'
import { wallAt } from '../../src/domain/calendar/format-window-at.ts'
import type { Tracking } from '../shared/api.generated.ts'
import { placeOn } from '../shared/day-rail.tsx'
import { NowTag } from '../shared/now-tag.tsx'
import { vars } from '../shared/vars.ts'
import { windowZone } from './format-tracking-window.ts'

const HOUR_MS = 3_600_000
/** Hours between two labels: the smallest step with at most five labels. */
const STEPS_H = [0.5, 1, 2, 3, 6, 12]

/** The day rail of one delivery, zoomed to the hours around its window. Hidden once it is over, or on another day. */
export function Zoom({ tracking, nowMs }: { tracking: Tracking; nowMs: number }) {
  const { from_datetime: from, to_datetime: to, likely_at: likely, status, late } = tracking
  if (!from || !to || ['delivered', 'pending_return', 'returned', 'cancelled'].includes(status)) return null
  const zone = windowZone(tracking)
  const now = wallAt(zone, nowMs)
  if (wallAt(zone, Date.parse(from)).day !== now.day) return null
  const window = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  const axis = axisOf(
    [nowMs, window.fromMs, window.toMs, likely ? Date.parse(likely) : nowMs],
    (now.day * 1_440 + now.minute) * 60_000 - Math.floor(nowMs / 60_000) * 60_000,
  )
  const place = (ms: number) => placeOn(axis, ms)
  const clock = (ms: number) => formatClock(wallAt(zone, ms))
  return (
    <div
      className="zoom"
      role="img"
      aria-label={`Now ${clock(nowMs)}. The window is ${clock(window.fromMs)} to ${clock(window.toMs)}.${likely ? ` Most likely ${clock(Date.parse(likely))}.` : ''}`}
    >
      {axis.labels.map((ms) => (
        <span key={ms} className="hr" style={vars({ a: place(ms) })}>
          {clock(ms)}
        </span>
      ))}
      <span className={`rail k-${late ? 'stop' : 'go'}`}>
        <i
          className={`win ${late ? 'late' : 'promised'}`}
          style={vars({ a: place(window.fromMs), b: place(window.toMs) })}
        />
        {late && <i className="lead lag" style={vars({ a: place(window.toMs), b: place(nowMs) })} />}
      </span>
      {likely && <i className="due" style={vars({ a: place(Date.parse(likely)) })} />}
      <i className="nowline" style={vars({ a: place(nowMs) })} />
      <NowTag at={Math.min(92, Math.max(8, place(nowMs)))} text={tagClock(now)} />
    </div>
  )
}

/** Full hours: the axis starts and ends at a multiple of the step. */
function axisOf(moments: readonly number[], offset: number) {
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  const stepMs = (STEPS_H.find((hours) => (last - first) / (hours * HOUR_MS) <= 4) ?? 12) * HOUR_MS
  const fromMs = Math.floor((first + offset - stepMs / 6) / stepMs) * stepMs - offset
  const toMs = Math.ceil((last + offset + stepMs / 6) / stepMs) * stepMs - offset
  const labels = Array.from(
    { length: Math.round((toMs - fromMs) / stepMs) + 1 },
    (_, n) => fromMs + n * stepMs,
  )
  return { fromMs, toMs, labels }
}

function tagClock({ minute }: Wall): string {
  return `${Math.floor(minute / 60) % 12 || 12}:${String(minute % 60).padStart(2, '0')}`
}
