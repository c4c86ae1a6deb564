import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { api } from '../../shared/api.ts'
import { Problem } from '../../shared/problem.ts'

/** Browsers allow passkeys only on pages with a host name that come over HTTPS, or from this machine. */
export function canUsePasskeys(): boolean {
  const { hostname } = window.location
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.includes(':')
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress
}

/** The browser asks for a passkey, and its answer opens the session. */
export async function logInWithPasskey(): Promise<void> {
  const { data } = await api.POST('/session/passkey/options')
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { id, response } = await startAuthentication({
    optionsJSON: { ...data, allowCredentials: [] },
  }).catch((error: unknown) => {
    throw toProblem(error, 'No passkey was used. Try again, or log in with your password.')
  })
  const credential = { id, type: 'public-key' as const, response }
  await api.POST('/session/passkey', { body: { credential } })
}

/** The browser makes a passkey, after the password and code were accepted. */
export async function addPasskey(name: string, credentials: { password: string; code?: string }) {
  const { data } = await api.POST('/session/passkeys/options', { body: credentials })
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { id, response } = await startRegistration({
    optionsJSON: data as unknown as PublicKeyCredentialCreationOptionsJSON,
  }).catch((error: unknown) => {
    throw toProblem(error, 'No passkey was added. Try again when you’re ready.')
  })
  const credential = { id, type: 'public-key' as const, response }
  return (await api.POST('/session/passkeys', { body: { name, credential } })).data
}

/** What the browser threw, as a sentence (WebAuthn level 3, 5.1.3 and 5.1.4). `cancelled`: also a time-out. */
function toProblem(error: unknown, cancelled: string): Problem {
  const name = error instanceof Error ? error.name : ''
  const sentences: Readonly<Record<string, string>> = {
    NotAllowedError: cancelled,
    AbortError: cancelled,
    InvalidStateError: 'This device already has a passkey for you. Log in with that passkey.',
    SecurityError: 'Passkeys don’t work at this address. Open Drover at its usual address.',
    NotSupportedError: 'This device can’t create passkeys. Use another device.',
    ConstraintError: 'This device has no fingerprint, face or PIN set up. Set one up first.',
  }
  return new Problem(400, { detail: sentences[name] ?? cancelled })
}
