import { TextInput } from '@mantine/core'
import type { Place } from './edits.ts'
import { numberField, useSettings } from './settings.ts'

type NumberInputProps = { label: string; description?: string; place: Place }

/** A number of the account document. */
export function NumberInput({ label, description, place }: NumberInputProps) {
  const field = numberField(useSettings(), place)
  return <TextInput label={label} description={description} inputMode="decimal" {...field} />
}
