import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { ConfirmDialog } from '../account/confirm-dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { FieldError } from '../field-error.tsx'
import { fieldProblems } from '../field-problems.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { onSubmit } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './credentials.tsx'
import { addPasskey, canUsePasskeys } from './passkey.ts'

const KEY = ['passkeys']

const COLUMNS: readonly Column<Passkey>[] = [
  { word: 'Name', cell: ({ name }) => <b>{name}</b> },
  { word: 'Stored', cell: ({ synced }) => (synced ? 'In your password manager' : 'On one device') },
  { word: 'Added', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  {
    word: 'Last used',
    cell: ({ last_used_at }) => (last_used_at ? <Timestamp at={last_used_at} /> : 'Not yet'),
  },
  { word: null, cell: (passkey) => <Acts passkey={passkey} /> },
]

/** The user's passkeys: they add, rename and remove them. */
export function Passkeys() {
  const queries = useQueryClient()
  const { session } = usePortal()
  const [adding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await api.GET('/session/passkeys')).data,
  })
  const added = async () => {
    setAdding(false)
    await Promise.all([KEY, ['session']].map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  return (
    <section className="sheet pad below" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p>
        Log in with your fingerprint, face or PIN instead of your password
        {session.second_factor.active && ' and code'}.
      </p>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && data.length > 0 && (
        <ListTable label="Your passkeys" rows={data} keyOf={({ id }) => id} columns={COLUMNS} />
      )}
      {canUsePasskeys() ? (
        <div className="row-of-buttons">
          <button type="button" className="b" onClick={() => setAdding(true)}>
            Add a passkey
          </button>
        </div>
      ) : (
        <p className="dim">
          You can’t use passkeys here. Open Drover at its usual address, in an up-to-date browser.
        </p>
      )}
      {adding && (
        <Dialog title="Add a passkey" onClose={() => setAdding(false)}>
          <AddPasskey
            asksCode={session.second_factor.active}
            added={added}
            onClose={() => setAdding(false)}
          />
        </Dialog>
      )}
    </section>
  )
}

type AddPasskeyProps = { asksCode: boolean; added(): Promise<unknown>; onClose?(): void }

/** Name, password and code; then the browser asks for fingerprint, face or PIN. */
export function AddPasskey({ asksCode, added, onClose }: AddPasskeyProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => addPasskey(name.trim(), { password, ...(asksCode && { code }) }),
    onSuccess: added,
  })
  const problems = fieldProblems(error, ['name', 'password', ...(asksCode ? ['code'] : [])])
  return (
    <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
      <TextInput
        label="Name"
        placeholder="My phone"
        required
        maxLength={60}
        value={name}
        error={problems.at('name')}
        errorProps={{ role: 'alert' }}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordField value={password} onChange={setPassword} error={problems.at('password')} />
      {asksCode && (
        <CodeField
          value={code}
          onChange={setCode}
          label="Code from your authenticator app, or a recovery code"
          error={problems.at('code')}
        />
      )}
      <FieldError error={problems.rest} />
      <DialogButtons submitLabel="Add passkey" busy={isPending} canAlwaysCancel onClose={onClose} />
    </form>
  )
}

function Acts({ passkey: { id, name } }: { passkey: Passkey }) {
  const queries = useQueryClient()
  const [doing, setDoing] = useState<'rename' | 'remove' | null>(null)
  const params = { path: { passkey_id: id } }
  const close = () => setDoing(null)
  return (
    <>
      <div className="row-of-buttons tight">
        <button
          type="button"
          className="b s"
          aria-label={`Rename ${name}`}
          onClick={() => setDoing('rename')}
        >
          Rename
        </button>
        <button
          type="button"
          className="b s"
          aria-label={`Remove ${name}`}
          onClick={() => setDoing('remove')}
        >
          Remove
        </button>
      </div>
      {doing === 'rename' && <Rename id={id} name={name} onClose={close} />}
      {doing === 'remove' && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          confirmLabel="Remove"
          onClose={close}
          stale={KEY}
          work={async (own) => {
            await api.POST('/session/passkeys/{passkey_id}/remove', { params, body: own })
            void queries.invalidateQueries({ queryKey: ['session'] })
          }}
        >
          You won’t be able to log in with this passkey, and you’ll be logged out everywhere else.
        </ConfirmDialog>
      )}
    </>
  )
}

function Rename({ id, name: before, onClose }: { id: string; name: string; onClose(): void }) {
  const queries = useQueryClient()
  const [name, setName] = useState(before)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      api.PATCH('/session/passkeys/{passkey_id}', {
        params: { path: { passkey_id: id } },
        body: { name: name.trim() },
      }),
    onSuccess: () => {
      onClose()
      return queries.invalidateQueries({ queryKey: KEY })
    },
  })
  const problems = fieldProblems(error, ['name'])
  return (
    <Dialog title={`Rename ${before}`} onClose={onClose}>
      <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
        <TextInput
          label="Name"
          required
          maxLength={60}
          value={name}
          error={problems.at('name')}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FieldError error={problems.rest} />
        <DialogButtons submitLabel="Save name" busy={isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
