import { type ReactNode, useState } from 'react'
import { count } from '../../shared/count.ts'
import { Glyph } from '../../shared/glyph.tsx'
import { clockWords, formatDuration, isoDay, longDay } from '../../shared/times.ts'
import type { HistoryEntry } from './timeline-entries.ts'

const SHOWN = 9

type TimelineProps = {
  happenings: readonly HistoryEntry[]
  /** The next step, and its due time. */
  due: { atMs: number; text: string } | null
  zone: string
  nowMs: number
  /** The events behind it. */
  children: ReactNode
}

/** The history, oldest first; the date is shown when it changes. The next due step comes last. */
export function Timeline({ happenings, due, zone, nowMs, children }: TimelineProps) {
  const [all, setAll] = useState(false)
  const hidden = all ? 0 : Math.max(0, happenings.length - SHOWN)
  const shown = happenings.slice(hidden)
  return (
    <section className="sheet tl" aria-labelledby="happened">
      <h2 id="happened">What happened</h2>
      {hidden > 0 && (
        <button type="button" className="b quiet linklike" onClick={() => setAll(true)}>
          Show {count(hidden, 'earlier step')}
        </button>
      )}
      <ol>
        {shown.map(({ key, atMs, hue, shape, text, by, mark }, index) => {
          const before = shown[index - 1]
          const newDay = isoDay(atMs, zone) !== isoDay(before?.atMs ?? nowMs, zone)
          return (
            <li key={key}>
              <time className="t" dateTime={new Date(atMs).toISOString()}>
                {newDay && <span className="on">{longDay(atMs, zone)}</span>}
                {clockWords(atMs, zone)}
              </time>
              <span className={`st k-${hue}`}>
                <Glyph shape={shape} />
              </span>
              <span className="what">
                {text} {mark && <span className="mark">{mark}</span>}
              </span>
              <span className="by">{by}</span>
            </li>
          )
        })}
        {due && (
          <li className="nxt">
            <time className="t" dateTime={new Date(due.atMs).toISOString()}>
              by {clockWords(due.atMs, zone)}
            </time>
            <span className="here" />
            <span className="what strong">
              {due.text} <span className="dim">({formatDuration(due.atMs - nowMs)} left)</span>
            </span>
            <span className="by">you</span>
          </li>
        )}
      </ol>
      {children}
    </section>
  )
}
