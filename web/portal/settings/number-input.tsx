import { TextInput } from '@mantine/core'
import type { Place } from './edits.ts'
import { numberField, numberProps, useSettings } from './settings.ts'

type Texts = { label: string; description?: string }

/** A number of the account document. */
export function NumberInput({ place, ...texts }: Texts & { place: Place }) {
  return <TextInput {...texts} inputMode="decimal" {...numberField(useSettings(), place)} />
}

/** A number that its form keeps itself. */
export function NumberField({ value, set, ...texts }: Texts & { value: unknown; set(value: unknown): void }) {
  return <TextInput {...texts} inputMode="decimal" {...numberProps(value, set)} />
}
