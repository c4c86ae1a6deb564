import { TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../../shared/action-button.tsx'
import { api } from '../../../shared/api.ts'
import { Dialog } from '../../../shared/dialog.tsx'
import { toProblem } from '../../../shared/problem.ts'
import { CopyButton } from '../../copy-button.tsx'
import { usePortal } from '../../portal.ts'
import { useTitle } from '../../use-title.ts'
import { askPartner } from '../carriers/carrier-queries.ts'
import { valueAt } from '../edits.ts'
import { textField, useSettings } from '../settings.ts'
import { ClientSecret } from './client-secret.tsx'
import { PROVIDER, type ProviderJson } from './provider.ts'

/** The OpenID Connect provider with which people may log in, as well as their passwords. */
export function LogInPage() {
  useTitle('Settings: login')
  const settings = useSettings()
  const mayChange = settings.may('account', 'sign_in')
  const provider = valueAt(settings.document, PROVIDER) as ProviderJson | undefined
  const field = (name: keyof ProviderJson) => textField(settings, [...PROVIDER, name])
  return (
    <>
      <div className="head">
        <h1>Login</h1>
        <span className="dim">
          Let people log in with Google, Microsoft, Okta or another provider. Passwords will still work.
        </span>
        <span className="right">{provider && mayChange && <RemoveProvider provider={provider} />}</span>
      </div>
      {!mayChange && <p className="dim">{askPartner('change the login provider')}</p>}
      <div className="settings-columns">
        <section className="sheet pad fields" aria-labelledby="login-provider">
          <h2 id="login-provider">Provider</h2>
          <p className="dim">
            Your provider calls this kind of login OpenID Connect. In the provider’s settings, add an app for
            Drover. The provider will then show you the issuer and the client ID.
          </p>
          <fieldset className="bare fields" disabled={!mayChange}>
            <TextInput
              label="Name"
              description="People see this name on the login button, as in “Log in with Acme”."
              maxLength={60}
              {...field('name')}
            />
            <TextInput
              label="Issuer"
              description="The provider’s address, exactly as the provider shows it, such as https://login.acme.example"
              maxLength={200}
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              {...field('issuer')}
            />
            <TextInput
              label="Client ID"
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              {...field('client_id')}
            />
            <TestProvider key={provider?.issuer} issuer={provider?.issuer ?? ''} />
          </fieldset>
        </section>
        <ClientSecret provider={provider} mayChange={mayChange} />
        <Addresses name={provider?.name ?? 'your provider'} />
      </div>
    </>
  )
}

function TestProvider({ issuer }: { issuer: string }) {
  const { tenantId } = usePortal()
  const test = useMutation({
    mutationFn: async () => {
      const params = { path: { tenant_id: tenantId } }
      const asked = api.POST('/admin/accounts/{tenant_id}/openid-connect/check', { params, body: { issuer } })
      return (await asked).data
    },
  })
  return (
    <>
      <div className="row-of-buttons">
        <ActionButton
          type="button"
          className="b s"
          busy={test.isPending}
          disabledReason={issuer === '' && 'Enter the issuer first.'}
          onClick={() => test.mutate()}
        >
          {test.isPending ? 'Testing…' : 'Test provider'}
        </ActionButton>
      </div>
      <div role="status">
        {test.data?.ok && <b>The provider answered.</b>}
        {test.data && !test.data.ok && <b className="k-stop notice">The test failed.</b>}
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

/** What the provider needs to know, and what people need to begin. */
function Addresses({ name }: { name: string }) {
  const { tenantId } = usePortal()
  const { data: redirect } = useQuery({
    queryKey: ['openid-redirect', tenantId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const params = { query: { tenant_id: tenantId } }
      return (await api.GET('/session/openid', { params })).data.redirect_url
    },
  })
  const logIn = `${location.origin}/portal/log-in?tenant_id=${encodeURIComponent(tenantId)}`
  return (
    <section className="sheet pad fields" aria-labelledby="login-addresses">
      <h2 id="login-addresses">Addresses</h2>
      {redirect !== undefined && (
        <div>
          <p>Enter this redirect URL in {name}’s settings:</p>
          <p className="row-of-buttons">
            <span className="mono wrap">{redirect}</span>
            <CopyButton text={redirect} label="Copy the redirect URL" />
          </p>
        </div>
      )}
      <div>
        <p>
          Send this login address to your staff. Ask each person to log in once with their password, then link{' '}
          {name} under Your account.
        </p>
        <p className="row-of-buttons">
          <span className="mono wrap">{logIn}</span>
          <CopyButton text={logIn} label="Copy the login address" />
        </p>
      </div>
    </section>
  )
}

function RemoveProvider({ provider }: { provider: ProviderJson }) {
  const { set } = useSettings()
  const { session } = usePortal()
  const [asking, setAsking] = useState(false)
  const name = provider.name ?? 'the provider'
  return (
    <>
      <button type="button" className="b no" onClick={() => setAsking(true)}>
        Remove the provider
      </button>
      {asking && (
        <Dialog title={`Remove ${name}?`} onClose={() => setAsking(false)}>
          <p>
            Once you apply this change, nobody will be able to log in with {name}. Anyone who’s already logged
            in will stay logged in.
          </p>
          <Linked name={name} />
          {provider.client_secret && session.user.role !== 'operator' && (
            <p>We’ll also delete the client secret, and Undo won’t bring it back.</p>
          )}
          <div className="row-of-buttons">
            <button
              type="button"
              className="b no"
              onClick={() => {
                set(PROVIDER, undefined)
                setAsking(false)
              }}
            >
              Remove it
            </button>
            <button type="button" className="b" onClick={() => setAsking(false)}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** How many people will no longer be able to log in this way. */
function Linked({ name }: { name: string }) {
  const { tenantId } = usePortal()
  const { data } = useQuery({
    queryKey: ['users', tenantId],
    queryFn: async () =>
      (await api.GET('/{tenant_id}/users', { params: { path: { tenant_id: tenantId } } })).data,
  })
  if (!data) return null
  const linked = data.filter(({ openid_linked }) => openid_linked).length
  if (linked === 0) return <p>Nobody has linked their login to {name} yet.</p>
  return (
    <p className="warn">
      {linked === 1
        ? `1 person has linked their login to ${name}. After the removal, they’ll need their password.`
        : `${linked} people have linked their logins to ${name}. After the removal, they’ll need their passwords.`}
    </p>
  )
}
