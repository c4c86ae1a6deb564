import type { ReactNode } from 'react'
import type { Store } from '../../shared/api.generated.ts'
import { type Axis, placeOn } from '../../shared/day-rail.tsx'
import { wallOf } from '../../shared/times.ts'
import { vars } from '../../shared/vars.ts'

const HOUR_MS = 3_600_000

/** From 8 to 8, or longer if the store trades longer. `dayMs` is any moment of the day. */
export function axisOf({ today, time_zone }: Store, dayMs: number): Axis {
  const { hour, minute, second } = wallOf(dayMs, time_zone)
  const midnight = Math.floor((dayMs - hour * HOUR_MS - minute * 60_000 - second * 1000) / 1000) * 1000
  const hours = today.trading.flatMap(({ from, to }) => {
    const end = wallOf(Date.parse(to), time_zone)
    return [wallOf(Date.parse(from), time_zone).hour, end.hour + (end.minute > 0 ? 1 : 0) || 24]
  })
  const from = Math.min(8, ...hours)
  const to = Math.max(20, ...hours)
  return { fromMs: midnight + from * HOUR_MS, toMs: midnight + to * HOUR_MS }
}

/** Whether this moment is on the axis's day, including the hours around it that the axis shows. */
export function isOn({ fromMs, toMs }: Axis, ms: number): boolean {
  return ms >= fromMs - 8 * HOUR_MS && ms < toMs + 4 * HOUR_MS
}

/** Closing times on the axis: services, and the store. */
export type Closing = { word: string; atMs: number }

export function closingsOf({ services, today }: Store): Closing[] {
  const closings = services.flatMap(({ service, closes_at }) =>
    closes_at === undefined ? [] : [{ word: service, atMs: Date.parse(closes_at) }],
  )
  const doors = today.pickup.at(-1)
  return doors ? [...closings, { word: 'Store', atMs: Date.parse(doors.to) }] : closings
}

type AxisProps = { axis: Axis; nowMs: number; closings: readonly Closing[] }

/**
 * The tag of the current time covers this much of the axis to its right, and half a label to its left: overlapping
 * ones move apart.
 */
const TAG_SHARE = 8
const HALF_NAME_SHARE = 6

/** Hours and the names of cut-offs. A picture: the header says the next cut-off in words. */
export function AxisHead({
  axis,
  zone,
  nowMs,
  closings,
  children,
}: AxisProps & { zone: string; children?: ReactNode }) {
  const now = placeOn(axis, nowMs)
  const hours: number[] = []
  for (let at = axis.fromMs; at < axis.toMs; at += HOUR_MS) hours.push(at)
  return (
    <div className="ax" aria-hidden="true">
      {spread(closings, axis).map(({ word, atMs, level }) => {
        const place = placeOn(axis, atMs)
        const beside = place >= now && place < now + TAG_SHARE + HALF_NAME_SHARE
        return (
          <span
            key={word}
            className={`flag level-${level}${beside ? ' beside' : ''}`}
            style={vars({ a: place, ...(beside && { s: now + TAG_SHARE }) })}
          >
            {word}
          </span>
        )
      })}
      {hours.map((at, index) => {
        const { hour } = wallOf(at, zone)
        return (
          <span key={at} className="hr" style={vars({ a: placeOn(axis, at) })}>
            {hour % 12 || 12}
            {index === 0 && (hour < 12 ? ' am' : ' pm')}
          </span>
        )
      })}
      {children}
    </div>
  )
}

/** Labels that would overlap go on two lines. */
function spread(closings: readonly Closing[], axis: Axis): (Closing & { level: 0 | 1 })[] {
  let before = Number.NEGATIVE_INFINITY
  let level: 0 | 1 = 0
  return closings
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((closing) => {
      const place = placeOn(axis, closing.atMs)
      level = place - before < 9 && level === 0 ? 1 : 0
      before = place
      return { ...closing, level }
    })
}

/** The lines through all rows: the past, the cut-offs, and now. */
export function AxisOver({ axis, nowMs, closings }: AxisProps) {
  const now = placeOn(axis, nowMs)
  const isToday = isOn(axis, nowMs)
  return (
    <div className="over" aria-hidden="true">
      <div>
        {isToday && <div className="past" style={vars({ n: now })} />}
        {closings.map(({ word, atMs }) => (
          <i key={word} className="cut" style={vars({ a: placeOn(axis, atMs) })} />
        ))}
        {isToday && <div className="nowline" style={vars({ a: now })} />}
      </div>
    </div>
  )
}
