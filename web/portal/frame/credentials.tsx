import { PasswordInput, TextInput } from '@mantine/core'

type FieldProps = { value: string; onChange(value: string): void }

export function EmailField({ value, onChange }: FieldProps) {
  return (
    <TextInput
      label="Email"
      type="email"
      autoComplete="username"
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type PasswordFieldProps = FieldProps & {
  label?: string
  /** The person chooses a new password, rather than typing their existing one. */
  fresh?: boolean
  error?: string | null
}

export function PasswordField({
  label = 'Password',
  fresh = false,
  error = null,
  value,
  onChange,
}: PasswordFieldProps) {
  return (
    <PasswordInput
      label={label}
      {...(fresh && {
        description: 'Use at least 10 characters. Don’t use a common password or your email address.',
      })}
      autoComplete={fresh ? 'new-password' : 'current-password'}
      required
      error={error}
      aria-invalid={error === null ? undefined : true}
      errorProps={{ role: 'alert' }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}`, tabIndex: 0 }}
    />
  )
}
