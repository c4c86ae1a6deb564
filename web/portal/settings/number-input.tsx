import { TextInput } from '@mantine/core'
import { type Place, valueAt } from './edits.ts'
import { useSettings } from './settings.ts'

type NumberInputProps = { label: string; description?: string; place: Place }

/**
 * A number of the account document; an empty field takes it away. What is not a number is passed on as it is typed, and
 * the API says what is wrong with it.
 */
export function NumberInput({ label, description, place }: NumberInputProps) {
  const { document, set } = useSettings()
  const value = valueAt(document, place)
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="decimal"
      value={value === undefined ? '' : String(value)}
      onChange={({ currentTarget: { value: typed } }) =>
        set(place, typed.trim() === '' ? undefined : Number.isNaN(Number(typed)) ? typed : Number(typed))
      }
    />
  )
}
