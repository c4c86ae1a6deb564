import { formatHours, type Wall } from '../../src/domain/calendar/format-window.ts'
import { vars } from '../shared/vars.ts'
import { type Choice, placeOnDay } from './options.ts'

type Props = {
  choice: Choice
  picked: boolean
  gone: boolean
  soonest: boolean
  /** The current time's place on today's rails. */
  now: Wall | null
  onPick(): void
}

/** One time to choose, with its bar on the day. A time that is no longer available stays, struck through. */
export function Option({ choice, picked, gone, soonest, now, onPick }: Props) {
  const { window } = choice
  const over = window.to.day > window.from.day
  return (
    <label className={`opt k-go ${picked ? 'on' : ''} ${gone ? 'gone' : ''}`}>
      <input type="radio" name="time" checked={picked} disabled={gone} onChange={onPick} />
      <span>
        <b>{formatHours(window)}</b>
        <small>{gone ? 'No longer available' : soonest ? 'the soonest' : ''}</small>
      </span>
      <span className="rail" aria-hidden="true">
        {now && <i className="nl" style={vars({ a: placeOnDay(now.minute) })} />}
        <i
          className="win"
          style={vars({ a: placeOnDay(window.from.minute), b: over ? 100 : placeOnDay(window.to.minute) })}
        />
      </span>
    </label>
  )
}
