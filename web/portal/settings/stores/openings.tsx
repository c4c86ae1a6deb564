import { toRangesAsWritten } from '../../../../src/domain/account/hours-by-day.ts'
import { type Place, valueAt } from '../edits.ts'
import { type Closure, changeDays, changeOpeningHours, type Opening } from '../form-edits.ts'
import { useSettings } from '../settings.ts'
import { AddBreak, afterBreak, HoursRange } from '../week-grid.tsx'

/** The days on which a store opens in addition to its weekly hours. */
export function Openings({ place }: { place: Place }) {
  const { document, set } = useSettings()
  const openings = (valueAt(document, place) as readonly Opening[] | undefined) ?? []
  const save = (next: readonly Opening[]) => set(place, next.length === 0 ? undefined : next)
  return (
    <fieldset className="closures">
      <legend>Extra opening hours</legend>
      <p className="dim">
        Days when you open outside your weekly hours, such as a public holiday or a Sunday before Christmas.
        Carriers may also collect during these hours.
      </p>
      {openings.map((opening, index) => (
        <OpeningFields
          // biome-ignore lint/suspicious/noArrayIndexKey: an opening has no other key.
          key={index}
          number={index + 1}
          opening={opening}
          setText={(key, value) => save(changeDays(openings, index, key, value))}
          setRanges={(ranges) => save(changeOpeningHours(openings, index, ranges))}
          remove={() => save(openings.toSpliced(index, 1))}
        />
      ))}
      <button
        type="button"
        className="b s"
        onClick={() => save([...openings, { from: '', hours: USUAL_HOURS }])}
      >
        Add extra opening hours
      </button>
    </fieldset>
  )
}

const USUAL_HOURS = '10:00-16:00'

type OpeningFieldsProps = {
  number: number
  opening: Opening
  setText(key: keyof Closure, value: string): void
  setRanges(ranges: readonly string[]): void
  remove(): void
}

function OpeningFields({ number, opening, setText, setRanges, remove }: OpeningFieldsProps) {
  const { from, to = '', reason = '' } = opening
  const ranges = toRangesAsWritten(opening.hours)
  const name = `Extra opening ${number}`
  return (
    <fieldset className="closure" aria-label={name}>
      <label>
        First day{' '}
        <input
          type="date"
          required
          className="time-input"
          value={from}
          onChange={({ currentTarget }) => setText('from', currentTarget.value)}
        />
      </label>
      <label>
        Last day{' '}
        <input
          type="date"
          className="time-input"
          min={from}
          value={to}
          onChange={({ currentTarget }) => setText('to', currentTarget.value)}
        />
      </label>
      <div className="opening-hours">
        {/* Each time has a label of its own. */}
        <span aria-hidden="true">Hours</span>
        <div className="week-ranges">
          {ranges.map((range, index) => (
            <HoursRange
              // biome-ignore lint/suspicious/noArrayIndexKey: a range has no other key.
              key={index}
              name={`${name}${afterBreak(index, ranges)}`}
              range={range}
              onChange={(next) => setRanges(ranges.with(index, next))}
              onRemove={index > 0 ? () => setRanges(ranges.toSpliced(index, 1)) : null}
            />
          ))}
          <AddBreak name={`Add a break to extra opening ${number}`} ranges={ranges} add={setRanges} />
        </div>
      </div>
      <label>
        Reason{' '}
        <input
          type="text"
          className="time-input"
          maxLength={100}
          value={reason}
          onChange={({ currentTarget }) => setText('reason', currentTarget.value)}
        />
      </label>
      <button
        type="button"
        className="b s quiet"
        aria-label={`Remove extra opening ${number}`}
        onClick={remove}
      >
        Remove
      </button>
    </fieldset>
  )
}
