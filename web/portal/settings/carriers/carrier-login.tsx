import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../../shared/action-button.tsx'
import { api } from '../../../shared/api.ts'
import { lowerFirst } from '../../../shared/lower-first.ts'
import { toProblem } from '../../../shared/problem.ts'
import { ProblemView } from '../../../shared/problem-view.tsx'
import { formatDay } from '../../../shared/times.ts'
import { FieldError } from '../../field-error.tsx'
import { sentByButton } from '../../on-submit.ts'
import { usePortal } from '../../portal.ts'
import type { Place } from '../edits.ts'
import { useSettings } from '../settings.ts'
import {
  askPartner,
  type CarrierJson,
  type CatalogueCarrier,
  type StoredSecret,
  secretsKey,
  useStoredSecrets,
} from './carrier-queries.ts'
import { RemoveLogin } from './remove-login.tsx'

type Needed = CatalogueCarrier['credentials']
type CarrierLoginProps = { carrier: CarrierJson; needed: Needed; place: Place }

/** The carrier's credentials: typed once, stored encrypted, never shown again. */
export function CarrierLogin({ carrier, needed, place }: CarrierLoginProps) {
  const { may } = useSettings()
  const { data: stored, error, refetch } = useStoredSecrets()
  const [replacing, setReplacing] = useState(false)
  const secretOf = (name: string) => carrier.credentials?.[name]?.secret
  const storedOf = (name: string) => stored?.get(secretOf(name) ?? '')
  const isComplete = needed.every(({ name, required }) => !required || storedOf(name) !== undefined)
  const mayStore = may('carrier', 'credentials')
  return (
    <section className="sheet pad fields" aria-labelledby="carrier-login">
      <h2 id="carrier-login">Login</h2>
      {error && !stored && <ProblemView error={error} retry={refetch} />}
      {stored && (isComplete || !mayStore) && (
        <dl className="stored-login">
          {needed.map(({ name, label }) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd className="dim">
                <Stored secret={storedOf(name)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {!mayStore && <p className="dim">{askPartner('change this login')}</p>}
      {mayStore && stored && (!isComplete || replacing) && (
        <Credentials
          carrier={carrier}
          needed={needed}
          place={place}
          isReplacing={isComplete}
          onClose={() => setReplacing(false)}
        />
      )}
      {mayStore && stored && isComplete && !replacing && (
        <TestLogin carrier={carrier} onReplace={() => setReplacing(true)} />
      )}
      {mayStore && stored && <RemoveLogin carrier={carrier} secrets={stored} />}
    </section>
  )
}

/** When a secret was stored and by whom. */
export function Stored({ secret }: { secret: StoredSecret | undefined }) {
  const { store, nowMs } = usePortal()
  if (secret === undefined) return 'Not saved'
  const { updated_at, stored_by } = secret
  const day = formatDay(Date.parse(updated_at), store.time_zone, nowMs())
  return `Saved on ${day}${stored_by ? ` by ${stored_by}` : ''}`
}

type CredentialsProps = CarrierLoginProps & { isReplacing: boolean; onClose(): void }

function Credentials({ carrier, needed, place, isReplacing, onClose }: CredentialsProps) {
  const { tenantId } = usePortal()
  const { set } = useSettings()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const store = useMutation({
    // What was typed stays in memory no longer than the request.
    gcTime: 0,
    mutationFn: async () => {
      for (const { name } of needed) {
        const secret = typed[name]?.trim()
        if (!secret) continue
        const secret_name = carrier.credentials?.[name]?.secret ?? toSecretName(carrier.provider, name)
        const params = { path: { tenant_id: tenantId, secret_name } }
        await api.PUT('/admin/accounts/{tenant_id}/secrets/{secret_name}', { params, body: { secret } })
        set([...place, 'credentials', name], { secret: secret_name })
      }
    },
    onSuccess: async () => {
      setTyped({})
      await queries.invalidateQueries({ queryKey: secretsKey(tenantId) })
      onClose()
    },
  })
  return (
    <form {...sentByButton(() => store.mutate())} className="fields" autoComplete="off">
      <p className="dim">
        {isReplacing
          ? 'Enter only the details that have changed. We’ll use them straight away, and Undo won’t bring the old ones back.'
          : `Get these details from ${carrier.name}. We’ll encrypt them as soon as you save them, and nobody will be able to see them again.`}
      </p>
      {needed.map(({ name, label, hint, secret, required }) => {
        const props = {
          label,
          description: hint,
          required: required && !isReplacing,
          autoComplete: 'off',
          maxLength: 10_000,
          value: typed[name] ?? '',
          onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
            setTyped((known) => ({ ...known, [name]: value })),
        }
        if (!secret) return <TextInput key={name} {...props} />
        const toggle = { 'aria-label': `Show the ${lowerFirst(label)}`, tabIndex: 0 }
        return <PasswordInput key={name} {...props} visibilityToggleButtonProps={toggle} />
      })}
      <FieldError error={store.error} />
      <div className="row-of-buttons">
        <ActionButton
          type="submit"
          className="b ink"
          busy={store.isPending}
          disabledReason={!needed.some(({ name }) => typed[name]?.trim()) && 'Enter the login details first.'}
        >
          Save the login
        </ActionButton>
        {isReplacing && (
          <button type="button" className="b" onClick={onClose}>
            Keep the old login
          </button>
        )}
      </div>
    </form>
  )
}

/** `uber_direct` and `client_id` → `uber-direct-client-id`. */
function toSecretName(provider: string, credential: string): string {
  return `${provider}-${credential}`.replaceAll('_', '-').slice(0, 63)
}

type TestLoginProps = { carrier: CarrierJson; onReplace(): void }

function TestLogin({ carrier, onReplace }: TestLoginProps) {
  const { tenantId } = usePortal()
  const test = useMutation({
    mutationFn: async () => {
      const params = { path: { tenant_id: tenantId, provider: carrier.provider } }
      const { services: _, ...body } = carrier
      const asked = api.POST('/admin/accounts/{tenant_id}/carriers/{provider}/check', {
        params,
        body: { carrier: body },
      })
      return (await asked).data
    },
  })
  return (
    <>
      <div className="row-of-buttons">
        <ActionButton type="button" className="b s" busy={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Testing…' : 'Test login'}
        </ActionButton>
        <button type="button" className="b s" onClick={onReplace}>
          Replace login
        </button>
      </div>
      <div role="status">
        {test.data?.ok && <b>The login works.</b>}
        {test.data && !test.data.ok && <b className="k-stop notice">We couldn’t log in.</b>}
        {test.data && <p className="dim">{test.data.message}</p>}
      </div>
      {test.error && (
        <p role="alert" className="field-error">
          {toProblem(test.error).message}
        </p>
      )}
    </>
  )
}
