import { placeOn } from '../../shared/day-rail.tsx'
import { NowTag } from '../../shared/now-tag.tsx'
import { bareClock, clockWords, formatDuration } from '../../shared/times.ts'
import { vars } from '../../shared/vars.ts'
import { usePortal } from '../portal.ts'
import { AxisHead, axisOf, closingsOf } from '../today/axis.tsx'

/** The day with the cut-offs. A picture: each card says its own cut-off. */
export function ClosingStrip({ nowMs }: { nowMs: number }) {
  const { store } = usePortal()
  const zone = store.time_zone
  const axis = axisOf(store, nowMs)
  const now = placeOn(axis, nowMs)
  return (
    <section className="sheet closing-strip" aria-hidden="true">
      <div className="ax-in">
        <div className="gone" style={vars({ n: now })} />
        <AxisHead axis={axis} zone={zone} nowMs={nowMs} closings={[]} />
        {closingsOf(store).map(({ word, atMs }, index) => (
          <span
            key={word}
            className={`ev${index % 2 ? ' low' : ''}`}
            style={vars({ a: placeOn(axis, atMs) })}
          >
            <b>{word}</b>{' '}
            <span>
              {atMs > nowMs
                ? `closes in ${formatDuration(atMs - nowMs)}`
                : `closed at ${clockWords(atMs, zone)}`}
            </span>
          </span>
        ))}
        <i className="nowline" style={vars({ a: now })} />
        <NowTag at={now} text={bareClock(nowMs, zone)} />
      </div>
    </section>
  )
}
