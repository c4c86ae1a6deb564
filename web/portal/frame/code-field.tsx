import { TextInput } from '@mantine/core'

/** A code of the authenticator app, or a recovery code. */
export function CodeField({
  value,
  onChange,
  label,
  error = null,
}: {
  value: string
  onChange(value: string): void
  label: string
  error?: string | null
}) {
  return (
    <TextInput
      label={label}
      error={error}
      errorProps={{ role: 'alert' }}
      autoComplete="one-time-code"
      spellCheck={false}
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
