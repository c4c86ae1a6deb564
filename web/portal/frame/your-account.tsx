import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { OwnAssistants } from '../assistants/own-assistants.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { FieldError } from '../field-error.tsx'
import { fieldProblems } from '../field-problems.ts'
import { onSubmit } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './credentials.tsx'
import { OpenIdLink } from './openid.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'

/** The user's own name, password, passkeys, authenticator app and sessions. */
export function YourAccount() {
  const { session } = usePortal()
  useTitle('Your account')
  return (
    <>
      <div className="head">
        <h1>Your account</h1>
        <span className="dim">{session.user.email}</span>
      </div>
      <OwnName />
      <OwnPassword />
      <Passkeys />
      <SecondFactor />
      <OpenIdLink />
      <OwnSessions />
      <OwnAssistants />
    </>
  )
}

function OwnName() {
  const { session, tenantId } = usePortal()
  const queries = useQueryClient()
  const [name, setName] = useState(session.user.name ?? '')
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: async () => (await api.PATCH('/session', { body: { name: name.trim() } })).data,
    onSuccess: (changed) => {
      queries.setQueryData(['session'], changed)
      return queries.invalidateQueries({ queryKey: ['users', tenantId] })
    },
  })
  const problems = fieldProblems(error, ['name'])
  const isSame = name.trim() === (session.user.name ?? '')
  return (
    <section className="sheet pad" aria-labelledby="own-name">
      <h2 id="own-name">Name</h2>
      <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
        <TextInput
          label="Your name"
          autoComplete="name"
          required
          value={name}
          error={problems.at('name')}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FieldError error={problems.rest} />
        {isSuccess && isSame && (
          <p role="status" className="dim">
            Saved.
          </p>
        )}
        <ActionButton type="submit" className="b ink" busy={isPending}>
          Save name
        </ActionButton>
      </form>
    </section>
  )
}

function OwnPassword() {
  const [changing, setChanging] = useState(false)
  const [isChanged, setIsChanged] = useState(false)
  return (
    <section className="sheet pad below" aria-labelledby="own-password">
      <h2 id="own-password">Password</h2>
      <div className="row-of-buttons">
        <button
          type="button"
          className="b"
          onClick={() => {
            setIsChanged(false)
            setChanging(true)
          }}
        >
          Change password
        </button>
      </div>
      {isChanged && (
        <p role="status" className="dim">
          Your password has been changed. You’re logged out everywhere else.
        </p>
      )}
      {changing && <ChangePassword onChanged={() => setIsChanged(true)} onClose={() => setChanging(false)} />}
    </section>
  )
}

function ChangePassword({ onChanged, onClose }: { onChanged(): void; onClose(): void }) {
  const { user, second_factor: factor } = usePortal().session
  const queries = useQueryClient()
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const [code, setCode] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const body = { password: old, new_password: fresh, ...(factor.active && { code }) }
      return api.POST('/session/change-password', { body })
    },
    onSuccess: () => {
      onChanged()
      onClose()
      return queries.invalidateQueries({ queryKey: ['own-sessions'] })
    },
  })
  const problems = fieldProblems(error, ['password', 'new_password', ...(factor.active ? ['code'] : [])])
  return (
    <Dialog title="Change your password" onClose={onClose}>
      <p className="dim">You’ll stay logged in here but be logged out everywhere else.</p>
      <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
        {/* Password managers save the new password under this email address. */}
        <input type="text" hidden readOnly autoComplete="username" value={user.email} />
        <PasswordField
          label="Current password"
          value={old}
          onChange={setOld}
          error={problems.at('password')}
        />
        <PasswordField
          label="New password"
          fresh
          value={fresh}
          onChange={setFresh}
          error={problems.at('new_password')}
        />
        {factor.active && (
          <CodeField
            value={code}
            onChange={setCode}
            label="Code from your authenticator app, or a recovery code"
            error={problems.at('code')}
          />
        )}
        <FieldError error={problems.rest} />
        <DialogButtons submitLabel="Change it" busy={isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
