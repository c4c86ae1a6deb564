import { PasswordInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { OPENID_SECRET } from '../../../../src/domain/account/openid-secret.ts'
import { ActionButton } from '../../../shared/action-button.tsx'
import { api } from '../../../shared/api.ts'
import { ProblemView } from '../../../shared/problem-view.tsx'
import { ConfirmAction } from '../../confirm-action.tsx'
import { FieldError } from '../../field-error.tsx'
import { sentByButton } from '../../on-submit.ts'
import { usePortal } from '../../portal.ts'
import { Stored } from '../carriers/carrier-login.tsx'
import { secretsKey, useStoredSecrets } from '../carriers/carrier-queries.ts'
import { valueAt } from '../edits.ts'
import { useSettings } from '../settings.ts'
import { PROVIDER, type ProviderJson } from './provider.ts'

type ClientSecretProps = { provider: ProviderJson | undefined; mayChange: boolean }

/** The secret of Drover's client at the provider: typed once, stored encrypted, never shown again. */
export function ClientSecret({ provider, mayChange }: ClientSecretProps) {
  const { inUse } = useSettings()
  const { session } = usePortal()
  const { data: secrets, error, refetch } = useStoredSecrets()
  const [replacing, setReplacing] = useState(false)
  const stored = secrets?.get(provider?.client_secret?.secret ?? '')
  const issuerInUse = valueAt(inUse, [...PROVIDER, 'issuer'])
  const isMoving = issuerInUse !== undefined && issuerInUse !== provider?.issuer
  return (
    <section className="sheet pad fields" aria-labelledby="login-secret">
      <h2 id="login-secret">Client secret</h2>
      {error && !secrets && <ProblemView error={error} retry={refetch} />}
      {isMoving && (
        <p className="dim">
          Apply the new provider first, then enter its client secret.
          {session.user.role !== 'operator' &&
            ' When you apply the new provider, we’ll delete the old secret so that the new provider never receives it.'}
        </p>
      )}
      {!isMoving && secrets && (stored || !mayChange) && (
        <p className="dim">
          <Stored secret={stored} />
        </p>
      )}
      {!isMoving && mayChange && secrets && (!stored || replacing) && (
        <Secret provider={provider} isReplacing={stored !== undefined} onClose={() => setReplacing(false)} />
      )}
      {!isMoving && mayChange && stored && !replacing && (
        <div className="row-of-buttons">
          <button type="button" className="b s" onClick={() => setReplacing(true)}>
            Replace
          </button>
          <RemoveSecret provider={provider} />
        </div>
      )}
    </section>
  )
}

type SecretProps = { provider: ProviderJson | undefined; isReplacing: boolean; onClose(): void }

function Secret({ provider, isReplacing, onClose }: SecretProps) {
  const { tenantId } = usePortal()
  const { set } = useSettings()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const store = useMutation({
    // What was typed stays in memory no longer than the request.
    gcTime: 0,
    mutationFn: async () => {
      const secret_name = provider?.client_secret?.secret ?? OPENID_SECRET
      const params = { path: { tenant_id: tenantId, secret_name } }
      const body = { secret: typed.trim() }
      await api.PUT('/admin/accounts/{tenant_id}/secrets/{secret_name}', { params, body })
      set([...PROVIDER, 'client_secret'], { secret: secret_name })
    },
    onSuccess: async () => {
      setTyped('')
      await queries.invalidateQueries({ queryKey: secretsKey(tenantId) })
      onClose()
    },
  })
  return (
    <form {...sentByButton(() => store.mutate())} className="fields" autoComplete="off">
      <p className="dim">
        {isReplacing
          ? 'We’ll use the new secret straight away, and Undo won’t bring the old one back.'
          : 'We’ll encrypt the secret as soon as you save it, and nobody will be able to see it again. If your provider doesn’t give you a secret, leave this field empty.'}
      </p>
      <PasswordInput
        label="Client secret"
        required
        autoComplete="off"
        maxLength={10_000}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the client secret', tabIndex: 0 }}
      />
      <FieldError error={store.error} />
      <div className="row-of-buttons">
        <ActionButton
          type="submit"
          className="b ink"
          busy={store.isPending}
          disabledReason={!provider?.issuer && 'Enter the issuer first.'}
        >
          Save the secret
        </ActionButton>
        {isReplacing && (
          <button type="button" className="b" onClick={onClose}>
            Keep the old secret
          </button>
        )}
      </div>
    </form>
  )
}

function RemoveSecret({ provider }: { provider: ProviderJson | undefined }) {
  const { tenantId } = usePortal()
  const [asking, setAsking] = useState(false)
  const secret_name = provider?.client_secret?.secret ?? OPENID_SECRET
  return (
    <>
      <button type="button" className="b s no" onClick={() => setAsking(true)}>
        Remove
      </button>
      {asking && (
        <ConfirmAction
          title="Remove the client secret?"
          confirmLabel="Remove it"
          stale={secretsKey(tenantId)}
          work={() => {
            const params = { path: { tenant_id: tenantId, secret_name } }
            return api.DELETE('/admin/accounts/{tenant_id}/secrets/{secret_name}', { params })
          }}
          onClose={() => setAsking(false)}
        >
          Nobody will be able to log in with {provider?.name ?? 'the provider'} until you enter a secret
          again. We’ll remove the secret straight away, and Undo won’t bring it back.
        </ConfirmAction>
      )}
    </>
  )
}
