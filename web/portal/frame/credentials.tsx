import { PasswordInput, TextInput } from '@mantine/core'

type FieldProps = { value: string; onChange(value: string): void }

export function EmailField({ value, onChange }: FieldProps) {
  return (
    <TextInput
      label="E-mail"
      type="email"
      autoComplete="username"
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** `fresh`: a new password is chosen instead of an existing one typed. */
export function PasswordField({ fresh = false, value, onChange }: FieldProps & { fresh?: boolean }) {
  return (
    <PasswordInput
      label="Password"
      {...(fresh && { description: 'At least 10 characters' })}
      autoComplete={fresh ? 'new-password' : 'current-password'}
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
    />
  )
}
