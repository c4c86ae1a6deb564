import { type Place, valueAt } from './edits.ts'
import { type Closure, changeDays } from './form-edits.ts'
import { useSettings } from './settings.ts'

/** The days on which a store is closed, apart from public holidays. */
export function Closures({ place }: { place: Place }) {
  const { document, set } = useSettings()
  const closures = (valueAt(document, place) as readonly Closure[] | undefined) ?? []
  const save = (next: readonly Closure[]) => set(place, next.length === 0 ? undefined : next)
  const change = (index: number, key: keyof Closure, value: string) =>
    save(changeDays(closures, index, key, value))
  return (
    <fieldset className="closures">
      <legend>Closed days</legend>
      {closures.length === 0 && <p className="dim">No closed days yet. Set public holidays above.</p>}
      {closures.map(({ from, to = '', reason = '' }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a closure has no other key.
        <fieldset key={index} className="closure" aria-label={`Closure ${index + 1}`}>
          <label>
            First day{' '}
            <input
              type="date"
              required
              className="time-input"
              value={from}
              onChange={({ currentTarget }) => change(index, 'from', currentTarget.value)}
            />
          </label>
          <label>
            Last day{' '}
            <input
              type="date"
              className="time-input"
              min={from}
              value={to}
              onChange={({ currentTarget }) => change(index, 'to', currentTarget.value)}
            />
          </label>
          <label>
            Reason{' '}
            <input
              type="text"
              className="time-input"
              maxLength={100}
              value={reason}
              onChange={({ currentTarget }) => change(index, 'reason', currentTarget.value)}
            />
          </label>
          <button
            type="button"
            className="b s quiet"
            aria-label={`Remove closure ${index + 1}`}
            onClick={() => save(closures.toSpliced(index, 1))}
          >
            Remove
          </button>
        </fieldset>
      ))}
      <button type="button" className="b s" onClick={() => save([...closures, { from: '' }])}>
        Add closed days
      </button>
    </fieldset>
  )
}
