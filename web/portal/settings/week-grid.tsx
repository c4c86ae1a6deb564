import { useEffect, useState } from 'react'
import { DAY_NAMES } from '../../../src/domain/account/day-names.ts'
import { type HoursByKey, toHoursByDayAsWritten } from '../../../src/domain/account/hours-by-day.ts'
import { WEEKDAYS, type Weekday } from '../../../src/domain/values.ts'
import { changeDay } from './form-edits.ts'

type WeekGridProps = {
  title: string
  hours: HoursByKey
  /** What is in use: hours that mean the same are set back to it. */
  inUse: HoursByKey | undefined
  disabled: boolean
  /** When carriers collect, not when the store is open. */
  isCollection?: boolean
  onChange(hours: HoursByKey): void
}

const USUAL = '09:00-17:00'

/** The hours of a week: each day closed, or open in one or more ranges. */
export function WeekGrid({ title, hours, inUse, disabled, isCollection = false, onChange }: WeekGridProps) {
  // Sorting would move a range, and its field, while the first digit of a time is typed.
  const week = toHoursByDayAsWritten(hours)
  const change = (day: Weekday, ranges: readonly string[]) => onChange(changeDay(hours, inUse, day, ranges))
  return (
    <fieldset className="week" disabled={disabled}>
      <legend>{title}</legend>
      {WEEKDAYS.map((day) => {
        const ranges = week[day]
        const isOpen = ranges.length > 0
        return (
          <fieldset key={day} className="week-day" aria-label={DAY_NAMES[day]}>
            <label className="week-name">
              <input
                type="checkbox"
                checked={isOpen}
                aria-label={`${isCollection ? 'Collect' : 'Open'} on ${DAY_NAMES[day]}s`}
                onChange={() => change(day, isOpen ? [] : [usualOf(week)])}
              />{' '}
              {DAY_NAMES[day]}
            </label>
            <div className="week-ranges">
              {!isOpen && <span className="dim">{isCollection ? 'No collection' : 'Closed'}</span>}
              {ranges.map((range, index) => (
                <HoursRange
                  // biome-ignore lint/suspicious/noArrayIndexKey: a range has no other key.
                  key={index}
                  name={`${DAY_NAMES[day]}${isCollection ? ' collection' : ''}${afterBreak(index, ranges)}`}
                  verbs={isCollection ? ['starts', 'ends'] : undefined}
                  range={range}
                  onChange={(next) => change(day, ranges.with(index, next))}
                  onRemove={index > 0 ? () => change(day, ranges.toSpliced(index, 1)) : null}
                />
              ))}
              <AddBreak
                name={`Add a break on ${DAY_NAMES[day]}s`}
                ranges={ranges}
                add={(next) => change(day, next)}
              />
            </div>
          </fieldset>
        )
      })}
    </fieldset>
  )
}

const MAX_RANGES = 6

type AddBreakProps = { name: string; ranges: readonly string[]; add(next: readonly string[]): void }

/** Offered where opening hours cover noon. */
export function AddBreak({ name, ranges, add }: AddBreakProps) {
  if (!ranges.some(coversNoon) || ranges.length >= MAX_RANGES) return null
  return (
    <button type="button" className="b s quiet" aria-label={name} onClick={() => add(withBreak(ranges))}>
      Add a break
    </button>
  )
}

/** The hours of the first open day, for a day that opens. */
function usualOf(week: Readonly<Record<Weekday, readonly string[]>>): string {
  return WEEKDAYS.map((day) => week[day][0]).find((range) => range !== undefined) ?? USUAL
}

function coversNoon(range: string): boolean {
  const [open = '', close = ''] = range.split('-')
  return open < '12:00' && close > '13:00'
}

/** The range over noon with an hour off. */
function withBreak(ranges: readonly string[]): string[] {
  return ranges.flatMap((range) => {
    const [open = '', close = ''] = range.split('-')
    return coversNoon(range) ? [`${open}-12:00`, `13:00-${close}`] : [range]
  })
}

type HoursRangeProps = {
  name: string
  /** What happens at the two times. */
  verbs?: readonly [string, string] | undefined
  range: string
  onChange(range: string): void
  onRemove: (() => void) | null
}

/** Which of several ranges it is: `, after the break,`, or `, after break 2,`. */
export function afterBreak(index: number, ranges: readonly string[]): string {
  if (index === 0) return ''
  return ranges.length > 2 ? `, after break ${index},` : ', after the break,'
}

/** From an opening to a closing time; midnight closes at `24:00`. An incomplete time is not passed on. */
export function HoursRange({
  name,
  verbs = ['opens', 'closes'],
  range,
  onChange,
  onRemove,
}: HoursRangeProps) {
  const [open = '', close = ''] = range.split('-')
  return (
    <span className="week-range">
      <Time label={`${name} ${verbs[0]}`} time={open} onChange={(time) => onChange(`${time}-${close}`)} />
      <span aria-hidden="true">–</span>
      <Time
        label={`${name} ${verbs[1]}`}
        // A time field has no 24:00.
        time={close === '24:00' ? '00:00' : close}
        onChange={(time) => onChange(`${open}-${time === '00:00' ? '24:00' : time}`)}
      />
      {onRemove && (
        <button
          type="button"
          className="b s quiet"
          aria-label={`Remove hours: ${name.replace(/,$/, '')}`}
          onClick={onRemove}
        >
          Remove
        </button>
      )}
    </span>
  )
}

function Time({ label, time, onChange }: { label: string; time: string; onChange(time: string): void }) {
  const [typed, setTyped] = useState(time)
  useEffect(() => setTyped(time), [time])
  return (
    <input
      type="time"
      className="time-input"
      aria-label={label}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        if (value !== '') onChange(value)
      }}
      onBlur={() => setTyped(time)}
    />
  )
}
