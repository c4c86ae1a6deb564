import { formatDay, type Wall } from '../../src/domain/calendar/format-window.ts'
import { Option } from './option.tsx'
import { byDay, type Choice } from './options.ts'

type Props = {
  /** Includes times that are no longer available. */
  choices: readonly Choice[]
  live: readonly Choice[]
  picked: Choice['type'] | null
  now: Wall
  onPick(type: Choice['type']): void
}

/** The times to choose from, by day. */
export function DayChoices({ choices, live, picked, now, onPick }: Props) {
  return byDay(choices).map(({ day, choices: ofDay }, index) => (
    <fieldset key={day}>
      <legend>{capital(formatDay(day, now.day), day, now.day)}</legend>
      {index === 0 && <Axis />}
      {ofDay.map((one) => (
        <Option
          key={one.type}
          choice={one}
          picked={picked === one.type}
          gone={!live.includes(one)}
          soonest={one === live[0]}
          now={day === now.day ? now : null}
          onPick={() => onPick(one.type)}
        />
      ))}
    </fieldset>
  ))
}

function Axis() {
  return (
    <div className="ax" aria-hidden="true">
      <span>8 am</span>
      <span>noon</span>
      <span>4 pm</span>
      <span>8 pm</span>
    </div>
  )
}

/** `Today, Tuesday 24 November`. */
function capital(words: string, day: number, today: number): string {
  const near = words === 'today' || words === 'tomorrow'
  const whole = near ? `${words}, ${formatDay(day, today - 400).replace(/ \d{4}$/, '')}` : words
  return whole[0]?.toUpperCase() + whole.slice(1)
}
