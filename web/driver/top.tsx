import type { ReactNode } from 'react'
import type { DriverJob } from '../shared/api.generated.ts'
import { Icon } from '../shared/icons.tsx'
import { NowTag } from '../shared/now-tag.tsx'
import { vars } from '../shared/vars.ts'
import { useOutbox } from './outbox.ts'
import { phoneClock } from './phone-clock.ts'
import { Refusals } from './refusals.tsx'
import { hashOf, type Route } from './route.ts'

type TopProps = {
  title: string
  back?: Route
  right?: ReactNode
  beads?: ReactNode
  /** This line names no address, because anybody may see the screen. */
  quiet?: boolean
}

/** The header of every page: back link, signal, and rejected steps. */
export function Top({ title, back, right, beads, quiet = false }: TopProps) {
  return (
    <>
      <header className="dtop">
        <div className="l">
          {back && (
            <a href={hashOf(back)} className="back" aria-label="Back">
              <Icon name="back" />
            </a>
          )}
          <b>{title}</b>
          {right && <span className="r">{right}</span>}
        </div>
        {beads}
      </header>
      <Signal />
      {!quiet && <Refusals />}
    </>
  )
}

/** The round as a line: done stops, the current one, the next ones. */
export function Beads({
  done,
  round,
  current,
}: {
  done: number
  round: readonly DriverJob[]
  current: string | null
}) {
  const count = done + round.length
  const at = (index: number) => (count === 1 ? 50 : 4 + (92 * index) / (count - 1))
  const next = round.findIndex(({ id }) => id === current)
  const clock = new Date().toLocaleTimeString('en-AU', { hour: 'numeric', minute: '2-digit', hour12: true })
  const tagAt = at(done + Math.max(0, next)) - (count > 1 ? Math.min(9, 46 / (count - 1)) : 0)
  return (
    <div className="stops" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => {
        const kind = index < done ? 'd' : index === done + next ? 'n' : ''
        return (
          <i key={`${count}-${at(index)}`} className={kind} style={vars({ a: at(index) })}>
            {index < done ? '✓' : index + 1}
          </i>
        )
      })}
      <NowTag at={Math.min(90, Math.max(10, tagAt))} text={clock.replace(/ ?[ap]m$/i, '')} />
    </div>
  )
}

/** Shows that steps wait on the phone; and, once, that all were sent. */
function Signal() {
  const { waiting, lost, heardMs, sent } = useOutbox()
  const count = waiting.filter(({ notBeforeMs }) => notBeforeMs <= Date.now()).length
  if (lost) {
    const since = heardMs === null ? '' : ` since ${phoneClock(heardMs)}`
    return (
      <p className="off" role="status">
        <Icon name="no-signal" />
        <span>
          <b>
            {lost === 'signal' ? 'No signal' : 'Drover hasn’t responded'}
            {since}.
          </b>{' '}
          Keep going: this phone saves your work and sends it once it can.{' '}
          {waiting.length > 0 && `${waiting.length} waiting.`}
        </span>
      </p>
    )
  }
  return (
    <p className="vh" role="status">
      {count > 0 ? `Sending ${count}.` : sent > 0 ? 'All sent.' : ''}
    </p>
  )
}
