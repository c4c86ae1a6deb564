import { TextInput } from '@mantine/core'
import { type Place, valueAt } from './edits.ts'
import { useSettings } from './settings.ts'

type NumberInputProps = { label: string; description?: string; place: Place }

/** A number of the account document. */
export function NumberInput({ place, ...texts }: NumberInputProps) {
  const { document, set } = useSettings()
  return <NumberField {...texts} value={valueAt(document, place)} set={(value) => set(place, value)} />
}

type NumberFieldProps = { label: string; description?: string; value: unknown; set(value: unknown): void }

/**
 * A number; an empty field takes it away. What is not a number is passed on as it is typed, and the API says what is
 * wrong with it.
 */
export function NumberField({ label, description, value, set }: NumberFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="decimal"
      value={value === undefined ? '' : String(value)}
      onChange={({ currentTarget: { value: typed } }) =>
        set(typed.trim() === '' ? undefined : Number.isNaN(Number(typed)) ? typed : Number(typed))
      }
    />
  )
}
