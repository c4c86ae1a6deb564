import { useState } from 'react'
import { type BookingSession, type Preferences, readPreferences, savePreferences } from './booking-session.ts'

/** Preferences that this tab stored, or else those of the order. */
export function usePreferences(
  token: string,
  order: BookingSession['order'],
): [Preferences, (preferences: Preferences) => void] {
  const [preferences, setPreferences] = useState<Preferences>(
    () => readPreferences(token) ?? { leave: order.authority_to_leave ?? false, note: order.note ?? '' },
  )
  const change = (changed: Preferences) => {
    savePreferences(token, changed)
    setPreferences(changed)
  }
  return [preferences, change]
}

export function PreferenceFields({
  preferences,
  onChange,
}: {
  preferences: Preferences
  onChange(preferences: Preferences): void
}) {
  const { leave, note } = preferences
  return (
    <fieldset className="preferences">
      <legend>If you are out</legend>
      <label>
        <input
          type="checkbox"
          checked={leave}
          onChange={(event) => onChange({ ...preferences, leave: event.target.checked })}
        />
        Leave it at the door
      </label>
      <label className="note">
        A note for the courier
        <input
          value={note}
          maxLength={300}
          onChange={(event) => onChange({ ...preferences, note: event.target.value })}
        />
      </label>
    </fieldset>
  )
}
