import { formatWindowAt } from '../../../src/domain/calendar/format-window-at.ts'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { NowTag } from '../../shared/now-tag.tsx'
import { bareClock, isoDay, wallOf } from '../../shared/times.ts'
import { vars } from '../../shared/vars.ts'
import { doorClock } from '../format-when.ts'
import { toBar } from '../rows/delivery-bar.ts'
import { axisOf } from '../today/axis.tsx'
import { classify, closingMs } from '../today/classify.ts'

const HOUR_MS = 3_600_000
const DAY_NAMES = ['long', 'short'] as const

type Pane = { fromMs: number; toMs: number }

/**
 * From ready to delivered: the day of pickup and, if different, the day of delivery. A picture; its words are beside
 * it.
 */
export function Journey({ delivery, store, nowMs }: { delivery: Delivery; store: Store; nowMs: number }) {
  const zone = store.time_zone
  const clocks = { zone: doorClock(delivery, zone), reader: zone, nowMs }
  const bar = toBar(delivery, classify(delivery, store.services, nowMs), nowMs)
  const startMs = bar.readyMs ?? nowMs
  const panes = panesOf(store, startMs, bar.window?.toMs ?? startMs)
  const place = (ms: number) => placeIn(panes, ms)
  const closes = closingMs(delivery, store.services)
  const nowShown = panes.some(({ fromMs, toMs }) => nowMs >= fromMs && nowMs <= toMs)
  return (
    <section className="sheet strip" aria-hidden="true">
      <div className="axis">
        {panes.map((pane, index) => (
          <PaneHours
            key={pane.fromMs}
            pane={pane}
            place={place}
            zone={zone}
            from={(index * 100) / panes.length}
            to={((index + 1) * 100) / panes.length}
            now={nowShown ? place(nowMs) : null}
          />
        ))}
        {panes.length > 1 && <span className="night" />}
        {closes !== null && (
          <span className="cut" style={vars({ a: place(closes) })}>
            <span>{delivery.service_code} closes</span>
          </span>
        )}
        <span className={`rail k-${bar.hue}`}>
          {bar.window && bar.window.fromMs > startMs && (
            <i className="lead" style={vars({ a: place(startMs), b: place(bar.window.fromMs) })} />
          )}
          <i className="rdy" style={vars({ a: place(startMs) })} />
          {bar.window && (
            <i
              className={`win ${bar.kind}`}
              style={vars({ a: place(bar.window.fromMs), b: place(bar.window.toMs) })}
            >
              <span>{formatWindowAt(bar.window, clocks, 'short')}</span>
            </i>
          )}
          {bar.doneMs != null && <i className="at" style={vars({ a: place(bar.doneMs) })} />}
        </span>
        {nowShown && (
          <>
            <i className="nowline" style={vars({ a: place(nowMs) })} />
            <NowTag at={place(nowMs)} text={bareClock(nowMs, zone)} />
          </>
        )}
      </div>
    </section>
  )
}

function panesOf(store: Store, startMs: number, endMs: number): Pane[] {
  const first = axisOf(store, startMs)
  if (isoDay(startMs, store.time_zone) === isoDay(endMs, store.time_zone)) return [first]
  return [first, axisOf(store, endMs)]
}

/** A time in the night between is drawn at the edge. */
function placeIn(panes: readonly Pane[], ms: number): number {
  const width = 100 / panes.length
  const index = Math.max(
    0,
    panes.findLastIndex(({ fromMs }) => ms >= fromMs),
  )
  const { fromMs, toMs } = panes[index] as Pane
  const share = Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)))
  return Math.round((index + share) * width * 100) / 100
}

/** `from`, `to` and `now` are shares of the axis, in per cent. */
type PaneHoursProps = {
  pane: Pane
  place(ms: number): number
  zone: string
  from: number
  to: number
  now: number | null
}

function PaneHours({ pane, place, zone, from, to, now }: PaneHoursProps) {
  const hours: number[] = []
  for (let ms = pane.fromMs; ms < pane.toMs; ms += HOUR_MS) hours.push(ms)
  // The day's name is placed away from the tag of the current time.
  const atEnd = now !== null && now >= from && now < (from + to) / 2
  return (
    <>
      {DAY_NAMES.map((weekday) => (
        <span
          key={weekday}
          className={`day-name ${weekday}${atEnd ? ' at-end' : ''}`}
          style={vars({ a: atEnd ? 100 - to : from })}
        >
          {new Intl.DateTimeFormat('en-AU', { weekday, day: 'numeric', timeZone: zone }).format(pane.fromMs)}
        </span>
      ))}
      {hours.map((ms, index) => {
        const { hour } = wallOf(ms, zone)
        return (
          <span key={ms} className={`hr${index % 2 ? ' odd' : ''}`} style={vars({ a: place(ms) })}>
            {hour % 12 || 12}
            {index === 0 && (hour < 12 ? ' am' : ' pm')}
          </span>
        )
      })}
    </>
  )
}
