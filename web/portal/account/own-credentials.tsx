import { useState } from 'react'
import type { FieldProblems } from '../field-problems.ts'
import { CodeField } from '../frame/code-field.tsx'
import { PasswordField } from '../frame/credentials.tsx'
import { usePortal } from '../portal.ts'

type Credentials = { password: string; code?: string }

/**
 * The user's own password and, with an authenticator app, its code: typed again before they give lasting access.
 * `problems`: the server's messages, if the form shows them at its fields.
 */
export function useOwnCredentials(problems?: FieldProblems): {
  fields: React.ReactNode
  typed: Credentials
  clear(): void
} {
  const { active } = usePortal().session.second_factor
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const fields = (
    <>
      <p className="dim">
        Enter your own password{active && ' and a code from your authenticator app'} so that we know it’s you.
      </p>
      <PasswordField value={password} onChange={setPassword} error={problems?.at('password') ?? null} />
      {active && (
        <CodeField
          value={code}
          onChange={setCode}
          label="Code from your authenticator app, or a recovery code"
          error={problems?.at('code') ?? null}
        />
      )}
    </>
  )
  return {
    fields,
    typed: { password, ...(active && { code }) },
    clear() {
      setPassword('')
      setCode('')
    },
  }
}
