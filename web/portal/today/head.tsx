import { clockWords, formatDuration, isoDay, longDay } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import type { RowGroups } from './group-rows.ts'

type HeadProps = { shown: RowGroups; needs: number; dayMs: number; nowMs: number; goTo(days: number): void }

/** The day in a sentence, and the next cut-off. */
export function Head({ shown, needs, dayMs, nowMs, goTo }: HeadProps) {
  const { store } = usePortal()
  const zone = store.time_zone
  const isToday = isoDay(dayMs, zone) === isoDay(nowMs, zone)
  const next = store.services
    .flatMap((one) => (one.closes_at ? [{ ...one, atMs: Date.parse(one.closes_at) }] : []))
    .filter(({ atMs }) => atMs > nowMs)
    .sort((a, b) => a.atMs - b.atMs)[0]
  return (
    <div className="head">
      <h1>{isToday ? 'Today' : 'Another day'}</h1>
      <span className="days">
        <button type="button" className="b s quiet" aria-label="Previous day" onClick={() => goTo(-1)}>
          ‹
        </button>
        <span className="dim">{longDay(dayMs, zone)}</span>
        <button type="button" className="b s quiet" aria-label="Next day" onClick={() => goTo(1)}>
          ›
        </button>
      </span>
      <span className="say" role="status">
        <b>
          {needs === 0
            ? 'Nothing needs attention'
            : `${counted(needs)} ${needs === 1 ? 'needs' : 'need'} attention`}
        </b>
        , {counted(shown.hand_over.length)} to hand over, {counted(shown.waiting.length)} waiting,{' '}
        {counted(shown.road.length)} on the road, {counted(shown.done.length)} done
      </span>
      {isToday && next && (
        <span className="closes">
          Next cut-off:{' '}
          <b>
            {next.carrier} {next.service}
          </b>{' '}
          at <time dateTime={next.closes_at}>{clockWords(next.atMs, zone)}</time>, in{' '}
          <b>{formatDuration(next.atMs - nowMs)}</b>
        </span>
      )}
    </div>
  )
}

function counted(number: number): string {
  return number.toLocaleString('en-AU')
}
