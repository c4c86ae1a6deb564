import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Place, valueAt } from './edits.ts'
import { toCents, toDollars } from './form-edits.ts'
import { useSettings } from './settings.ts'

type DollarInputProps = { label: string; description?: string; place: Place }

/** An amount in cents, typed in dollars. Text that is not an amount is sent as typed, and the API says what is wrong. */
export function DollarInput({ place, ...texts }: DollarInputProps) {
  const { document, set } = useSettings()
  const value = valueAt(document, place) ?? ''
  const shown = typeof value === 'number' ? toDollars(value) : String(value)
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      {...texts}
      leftSection="$"
      inputMode="decimal"
      value={typed ?? shown}
      error={typeof value === 'string' && value !== '' && 'Enter an amount in dollars, such as 12.50.'}
      onBlur={() => setTyped(null)}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        const cents = toCents(text)
        set(place, text.trim() === '' ? undefined : Number.isNaN(cents) ? text : cents)
      }}
    />
  )
}
