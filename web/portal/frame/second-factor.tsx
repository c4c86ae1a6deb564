import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { CopyButton } from '../copy-button.tsx'
import { FieldError } from '../field-error.tsx'
import { onSubmit } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './credentials.tsx'
import { canUsePasskeys } from './passkey.ts'
import { AddPasskey } from './passkeys.tsx'

type Setup = { secret: string; otpauth_url: string }

/** Sets up the user's authenticator app, or turns it off. */
export function SecondFactor() {
  const { second_factor: factor } = usePortal().session
  const queries = useQueryClient()
  const done = () => queries.invalidateQueries({ queryKey: ['session'] })
  return (
    <section className="sheet pad below" aria-labelledby="second-factor">
      <h2 id="second-factor">Authenticator app</h2>
      {factor.active ? (
        <TurnOff codesLeft={factor.recovery_codes_left} done={done} />
      ) : (
        <>
          <p>
            With an authenticator app, you log in with your password and a code from your phone, so a stolen
            password isn’t enough.
          </p>
          <SetUp done={done} />
        </>
      )}
    </section>
  )
}

/** In place of every page until a user who needs a second factor has set one up. */
export function SecondFactorFirst() {
  const queries = useQueryClient()
  const [byPasskey, setByPasskey] = useState(false)
  const done = () => queries.resetQueries()
  return (
    <main className="alone">
      <h1>{byPasskey ? 'Add a passkey' : 'Set up an authenticator app'}</h1>
      {byPasskey ? (
        <>
          <p>Once you’ve added a passkey, you’ll log in with your fingerprint, face or PIN.</p>
          <AddPasskey asksCode={false} added={done} />
        </>
      ) : (
        <>
          <p>
            You need an authenticator app{canUsePasskeys() && ' or a passkey'} to use Drover. Setting up the
            app takes two minutes. Have your phone ready.
          </p>
          <SetUp done={done} />
        </>
      )}
      {canUsePasskeys() && (
        <button type="button" className="b quiet linklike" onClick={() => setByPasskey(!byPasskey)}>
          {byPasskey ? 'Set up an authenticator app instead' : 'Add a passkey instead'}
        </button>
      )}
    </main>
  )
}

/** Password, QR code and code, recovery codes: one after the other. */
function SetUp({ done }: { done(): Promise<unknown> }) {
  const [setup, setSetup] = useState<Setup | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} done={done} />
  if (setup) return <Confirm setup={setup} confirmed={setCodes} />
  return <Begin begun={setSetup} />
}

function Begin({ begun }: { begun(setup: Setup): void }) {
  const [password, setPassword] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => (await api.POST('/session/second-factor', { body: { password } })).data,
    onSuccess: begun,
  })
  return (
    <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
      <PasswordField value={password} onChange={setPassword} />
      <FieldError error={error} />
      <ActionButton type="submit" className="b ink" busy={isPending}>
        Set up the app
      </ActionButton>
    </form>
  )
}

function Confirm({ setup, confirmed }: { setup: Setup; confirmed(codes: readonly string[]): void }) {
  const [code, setCode] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => (await api.POST('/session/second-factor/confirm', { body: { code } })).data,
    onSuccess: ({ recovery_codes }) => confirmed(recovery_codes),
  })
  return (
    <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
      <p>
        Scan this QR code with your authenticator app, or type the key into the app. Then enter the code that
        the app shows.
      </p>
      <QrCode text={setup.otpauth_url} />
      <p>
        Key: <code>{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <CodeField value={code} onChange={setCode} label="Code from your authenticator app" />
      <FieldError error={error} />
      <ActionButton type="submit" className="b ink" busy={isPending}>
        Confirm
      </ActionButton>
    </form>
  )
}

function RecoveryCodes({ codes, done }: { codes: readonly string[]; done(): Promise<unknown> }) {
  return (
    <section aria-labelledby="recovery">
      <h2 id="recovery">Your recovery codes</h2>
      <p>
        Keep these codes somewhere safe. If you lose your phone, you can log in once with each code. We won’t
        show the codes again.
      </p>
      <ul className="mono plain" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row-of-buttons">
        <CopyButton text={codes.join('\n')} label="Copy the recovery codes" />
        <button type="button" className="b ink" onClick={() => done()}>
          I’ve saved them
        </button>
      </div>
    </section>
  )
}

function TurnOff({ codesLeft, done }: { codesLeft: number; done(): Promise<unknown> }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.POST('/session/second-factor/disable', { body: { password, code } }),
    onSuccess: done,
  })
  return (
    <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
      <p>
        Your authenticator app is on. You have{' '}
        {codesLeft === 0 ? 'no recovery codes' : count(codesLeft, 'recovery code')} left.
      </p>
      <PasswordField value={password} onChange={setPassword} />
      <CodeField
        value={code}
        onChange={setCode}
        label="Code from your authenticator app, or a recovery code"
      />
      <FieldError error={error} />
      <ActionButton type="submit" className="b" busy={isPending}>
        Turn off the app
      </ActionButton>
    </form>
  )
}

/** Drawn in the browser: the key is sent to no other service. */
function QrCode({ text }: { text: string }) {
  const { data } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => {
      const { default: bwipjs } = await import('bwip-js/browser')
      const [symbol] = bwipjs.raw({ bcid: 'qrcode', text })
      return symbol && 'pixs' in symbol ? { pixels: symbol.pixs, size: symbol.pixx } : null
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (!data) return null
  const dark = [...data.pixels].flatMap((pixel, at) =>
    pixel ? [`M${at % data.size} ${Math.floor(at / data.size)}h1v1h-1z`] : [],
  )
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      className="qr"
      viewBox={`-4 -4 ${data.size + 8} ${data.size + 8}`}
      width="216"
      height="216"
      shapeRendering="crispEdges"
    >
      <rect x="-4" y="-4" width={data.size + 8} height={data.size + 8} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
