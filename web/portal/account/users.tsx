import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { User } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { ConfirmAction } from '../confirm-action.tsx'
import { FieldError } from '../field-error.tsx'
import { fieldProblems } from '../field-problems.ts'
import { isRejection, newIdempotencyKey } from '../idempotency-key.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useTitle } from '../use-title.ts'
import { type AccountRole, ROLE_TEXTS, useAccessFields } from './access-fields.tsx'
import { ChangeUser } from './change-user.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useOwnCredentials } from './own-credentials.tsx'
import { StoreNames } from './store-names.tsx'

const COLUMNS: readonly Column<User>[] = [
  {
    word: 'Who',
    cell: ({ name, email, status, second_factor, passkeys, openid_linked }) => (
      <>
        <b>{name ?? 'Invited'}</b>
        <br />
        <span className="dim">{email}</span>
        {status === 'disabled' && <span className="dim">, disabled</span>}
        {second_factor && <span className="dim">, authenticator app</span>}
        {passkeys > 0 && <span className="dim">, {count(passkeys, 'passkey')}</span>}
        {openid_linked && <LinkedProvider />}
      </>
    ),
  },
  { word: 'Role', cell: ({ role }) => ROLE_TEXTS[role] },
  { word: 'Stores', cell: ({ store_references }) => <StoreNames of={store_references} /> },
  {
    word: 'Last login',
    cell: ({ last_login_at, failed_logins: { count: failed, last_at } }) => (
      <>
        {last_login_at ? <Timestamp at={last_login_at} /> : 'Not yet'}
        {last_at && (
          <span className="dim">
            <br />
            {count(failed, 'failed login')}
            {last_login_at && ' since then'}
            {failed === 1 ? ': ' : '. The latest: '}
            <Timestamp at={last_at} />
          </span>
        )}
      </>
    ),
  },
  { word: null, cell: (user) => <Acts user={user} /> },
]

function LinkedProvider() {
  return <span className="dim">, logs in with {useProviderName()}</span>
}

/** An operator’s session has no provider, so the name is a general one. */
function useProviderName(): string {
  return usePortal().session.openid?.name ?? 'the OpenID provider'
}

/** The users, with their roles and stores. */
export function Users() {
  const { tenantId } = usePortal()
  useTitle('People')
  const { data, error, refetch } = useQuery({
    queryKey: ['users', tenantId],
    queryFn: async () =>
      (await api.GET('/{tenant_id}/users', { params: { path: { tenant_id: tenantId } } })).data,
  })
  return (
    <>
      <div className="head">
        <h1>People</h1>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && <ListTable label="People" rows={data} keyOf={({ id }) => id} columns={COLUMNS} />}
      <Invite />
    </>
  )
}

type Act = 'disable' | 'enable' | 'invite' | 'reset' | 'no-app' | 'unlink'

const ADMIN_ACCESS = 'Admins can do everything in the account.'
const ASKED: Readonly<Record<Exclude<Act, 'disable'>, (email: string, provider: string) => string>> = {
  enable: (email) => `Enable ${email}?`,
  invite: (email) => `Invite ${email} again?`,
  reset: (email) => `Send ${email} a link to set a new password?`,
  'no-app': (email) => `Reset the second factor for ${email}?`,
  unlink: (email, provider) => `Unlink ${email} from ${provider}?`,
}
const CONSEQUENCES: Readonly<Partial<Record<Act, (provider: string) => string>>> = {
  'no-app': () =>
    'This person won’t be able to log in with their authenticator app or passkeys. Until they set up an app or a passkey again, they’ll log in with only their password.',
  unlink: (provider) =>
    `This person will be logged out straight away. They’ll log in with their password until they link ${provider} again.`,
}

/** The actions for one user, and their results. */
function Acts({ user }: { user: User }) {
  const { tenantId, session } = usePortal()
  const provider = useProviderName()
  const queries = useQueryClient()
  const key = ['users', tenantId]
  const [invitationKey, setInvitationKey] = useState(newIdempotencyKey)
  const params = { path: { tenant_id: tenantId, user_id: user.id } }
  const change = useMutation({
    mutationFn: async ({ what, own = {} }: { what: Act; own?: { password?: string; code?: string } }) => {
      if (what === 'no-app')
        return api.POST('/{tenant_id}/users/{user_id}/reset-second-factor', { params, body: own })
      if (what === 'unlink')
        return api.POST('/{tenant_id}/users/{user_id}/unlink-openid', { params, body: own })
      if (what === 'invite') {
        const idempotencyKey = invitationKey
        return api.POST('/{tenant_id}/users/{user_id}/invite', { params, body: own, idempotencyKey })
      }
      if (what === 'reset') return api.POST('/{tenant_id}/users/{user_id}/reset-password', { params })
      return api.PATCH('/{tenant_id}/users/{user_id}', {
        params,
        body: { disabled: what === 'disable', ...own },
      })
    },
    onSettled: (_, error, { what }) => {
      if (what === 'invite' && (!error || isRejection(error))) setInvitationKey(newIdempotencyKey())
      // Not awaited: the dialog would stay open until the list is there.
      void queries.invalidateQueries({ queryKey: key })
    },
  })
  const [asking, setAsking] = useState<Act | null>(null)
  const [changing, setChanging] = useState(false)
  const { email, status, role } = user
  const mine = user.id === session.user.id
  const isAdmin = user.role !== 'store_clerk'
  // Giving admin rights asks for the password; disabling a user says what ends.
  const asksFirst = (what: Act) =>
    CONSEQUENCES[what] !== undefined ||
    what === 'disable' ||
    (isAdmin && (what === 'invite' || what === 'enable'))
  const act = (what: Act, word: string) => (
    <ActionButton
      type="button"
      className="b s"
      busy={change.isPending}
      aria-label={`${word}: ${email}`}
      onClick={() => (asksFirst(what) ? setAsking(what) : change.mutate({ what }))}
    >
      {word}
    </ActionButton>
  )
  return (
    <>
      <div className="row-of-buttons tight">
        {!mine && role !== 'operator' && (
          <button
            type="button"
            className="b s"
            aria-label={`Change access for ${email}`}
            onClick={() => setChanging(true)}
          >
            Change
          </button>
        )}
        {status === 'invited' && act('invite', 'Invite again')}
        {status === 'active' && act('reset', 'Reset password')}
        {(user.second_factor || user.passkeys > 0) && !mine && act('no-app', 'Reset second factor')}
        {user.openid_linked && !mine && act('unlink', `Unlink ${provider}`)}
        {status === 'active' && !mine && act('disable', 'Disable')}
        {status === 'disabled' && act('enable', 'Enable')}
      </div>
      {changing && role !== 'operator' && (
        <ChangeUser user={{ ...user, role }} onClose={() => setChanging(false)} />
      )}
      {asking === 'disable' && (
        <ConfirmAction
          title={`Disable ${email}?`}
          confirmLabel="Disable"
          onClose={() => setAsking(null)}
          work={() => change.mutateAsync({ what: 'disable' })}
        >
          This person will be logged out straight away.
          {isAdmin &&
            ' Their API clients will stop working too. To keep a client working, take it over on the API clients page first.'}
        </ConfirmAction>
      )}
      {asking !== null && asking !== 'disable' && (
        <ConfirmDialog
          title={ASKED[asking](email, provider)}
          confirmLabel="Confirm"
          onClose={() => setAsking(null)}
          stale={key}
          work={(own) => change.mutateAsync({ what: asking, own })}
        >
          {CONSEQUENCES[asking]?.(provider) ?? ADMIN_ACCESS}
        </ConfirmDialog>
      )}
      <FieldError error={asking === null && change.error} />
      {change.isSuccess && (change.variables.what === 'invite' || change.variables.what === 'reset') && (
        <p role="status" className="dim">
          We’ve sent an email to {email}.
        </p>
      )}
    </>
  )
}

const INVITED: { role: AccountRole; stores: readonly string[] } = { role: 'store_clerk', stores: [] }

function Invite() {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [key, setKey] = useState(newIdempotencyKey)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = {
        email: email.trim(),
        role: access.role,
        ...(access.role === 'store_clerk' && { store_references: [...access.stores] }),
        ...(access.role === 'merchant_admin' && own.typed),
      }
      const params = { path: { tenant_id: tenantId } }
      return (await api.POST('/{tenant_id}/users', { params, body, idempotencyKey: key })).data
    },
    onSettled: (_, error) => {
      if (!error || isRejection(error)) setKey(newIdempotencyKey())
      // After an error too: the invitation may exist although the response was lost.
      void queries.invalidateQueries({ queryKey: ['users', tenantId] })
    },
    onSuccess: () => {
      setEmail('')
      own.clear()
    },
  })
  const problems = fieldProblems(error, ['email', 'role', 'store_references', 'password', 'code'])
  const access = useAccessFields(INVITED, problems)
  const own = useOwnCredentials(problems)
  const sending = sentByButton(() => mutate())
  return (
    <section className="sheet pad below" aria-labelledby="invite">
      <h2 id="invite">Invite someone</h2>
      <form {...sending} className="fields narrow">
        <TextInput
          label="Email"
          type="email"
          required
          value={email}
          error={problems.at('email')}
          errorProps={{ role: 'alert' }}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {access.fields}
        {access.role === 'merchant_admin' && own.fields}
        <FieldError error={problems.rest} />
        {data && (
          <p role="status">
            We’ve emailed an invitation to {data.email}. The link works once and expires after 7 days:{' '}
            <span className="mono wrap">{data.invitation_url}</span>
          </p>
        )}
        <ActionButton type="submit" className="b ink" busy={isPending} disabledReason={access.missing}>
          Invite
        </ActionButton>
      </form>
    </section>
  )
}
