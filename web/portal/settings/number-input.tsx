import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Place } from './edits.ts'
import { numberField, numberProps, useSettings } from './settings.ts'

type Texts = { label: string; description?: string }

/** A number of the account document. */
export function NumberInput({ place, ...texts }: Texts & { place: Place }) {
  return <TextInput {...texts} inputMode="decimal" {...useTypedText(numberField(useSettings(), place))} />
}

/** A number that its form keeps itself. */
export function NumberField({ value, set, ...texts }: Texts & { value: unknown; set(value: unknown): void }) {
  return <TextInput {...texts} inputMode="decimal" {...useTypedText(numberProps(value, set))} />
}

/** Shows the text as typed until the field loses focus. Otherwise `8.` would become `8` at once, and `8.5`, `85`. */
function useTypedText({ value, onChange }: ReturnType<typeof numberProps>) {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    value: typed ?? value,
    onBlur: () => setTyped(null),
    onChange: (event: Parameters<typeof onChange>[0]) => {
      setTyped(event.currentTarget.value)
      onChange(event)
    },
  }
}
