import { useState } from 'react'
import { keepWishes, keptWishes, type Visit, type Wishes } from './visit.ts'

/** Preferences that this tab stored, or else those of the order. */
export function useWishes(token: string, order: Visit['order']): [Wishes, (wishes: Wishes) => void] {
  const [wishes, setWishes] = useState<Wishes>(
    () => keptWishes(token) ?? { leave: order.authority_to_leave ?? false, note: order.note ?? '' },
  )
  const change = (changed: Wishes) => {
    keepWishes(token, changed)
    setWishes(changed)
  }
  return [wishes, change]
}

export function WishFields({ wishes, onChange }: { wishes: Wishes; onChange(wishes: Wishes): void }) {
  const { leave, note } = wishes
  return (
    <fieldset className="wishes">
      <legend>If you are out</legend>
      <label>
        <input
          type="checkbox"
          checked={leave}
          onChange={(event) => onChange({ ...wishes, leave: event.target.checked })}
        />
        Leave it at the door
      </label>
      <label className="note">
        A note for the courier
        <input
          value={note}
          maxLength={300}
          onChange={(event) => onChange({ ...wishes, note: event.target.value })}
        />
      </label>
    </fieldset>
  )
}
