import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { OwnPasskey } from '../../../domain/people/user.ts'
import { askForPasskey, logInWithPasskey } from '../../../operations/people/passkey-log-in.ts'
import {
  addPasskey,
  beginPasskey,
  listOwnPasskeys,
  removeOwnPasskey,
  renameOwnPasskey,
} from '../../../operations/people/passkeys.ts'
import { personEnrolling } from '../../../operations/people/user-session.ts'
import { ownSession, recordAsPerson } from '../../admission/own-session.ts'
import { personToken } from '../../admission/person-admission.ts'
import { rateLimitKey } from '../../admission/rate-limit.ts'
import { refuseOtherSites } from '../../admission/same-origin.ts'
import { type Endpoint, json, openEndpoint, wholeList } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { EmptyBody } from '../deliveries/lists-schema.ts'
import { OWN_SESSION, OWN_SESSION_ENDPOINT } from '../people/own-session-endpoint.ts'
import {
  PasskeyAnswer,
  PasskeyBody,
  PasskeyLogInBody,
  PasskeyLogInOptionsAnswer,
  PasskeyNameBody,
  PasskeyOptionsAnswer,
  PasskeyOptionsBody,
  PasskeyRemovalBody,
  PasskeysAnswer,
} from '../people/people-schema.ts'
import { openedSession, WHO } from './session-routes.ts'

const URL = '/session/passkeys'
const STEP_UP = [
  'unauthorized',
  'invalid_credentials',
  'second_factor_required',
  'invalid_second_factor',
  'rate_limited',
  'cross_site_request',
] as const

/** The examples have no browser that could make one. */
const NO_PASSKEY = {
  headers: OWN_SESSION,
  path: { passkey_id: 'psk_1' },
  status: { code: 404, because: 'only a browser can make a passkey' },
} as const

/** The user's own passkeys (WebAuthn level 3). */
export const PASSKEY_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'GET',
    url: URL,
    operationId: 'listPasskeys',
    summary: 'List your own passkeys',
    exampleCall: { headers: OWN_SESSION },
    answers: { 200: { description: 'The passkeys, oldest first.', schema: PasskeysAnswer } },
    refusals: ['unauthorized'],
    async handle({ deps, request }) {
      const person = await personEnrolling(deps, personToken(request))
      return wholeList((await listOwnPasskeys(deps, person)).map(fromPasskey))
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'POST',
    url: `${URL}/options`,
    operationId: 'beginPasskey',
    summary: 'Get the options for a new passkey',
    description: 'Requires the user’s password, and a code if they have an authenticator app.',
    body: PasskeyOptionsBody,
    example: { password: 'demo-admin-1' },
    exampleCall: { headers: OWN_SESSION },
    answers: { 200: { description: 'The options for the browser.', schema: PasskeyOptionsAnswer } },
    refusals: [...STEP_UP, 'too_many_passkeys', 'passkey_required', 'passkeys_unavailable'],
    unaudited: 'Nothing changes until the passkey is added, which is audited.',
    async handle(ask) {
      const { person } = await ownSession(ask)
      return json(200, { data: await beginPasskey(ask.deps, person, ask.body) })
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'POST',
    url: URL,
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'The passkey works at once, in place of the password and the code. This session counts as one with a second factor, and the user’s other sessions end.',
    body: PasskeyBody,
    example: {
      name: 'Ada’s phone',
      credential: {
        id: 'b2xkLXBhc3NrZXk',
        type: 'public-key',
        response: { clientDataJSON: 'e30', attestationObject: 'oA' },
      },
    },
    exampleCall: {
      headers: OWN_SESSION,
      status: { code: 401, because: 'only a browser can make a passkey' },
    },
    answers: { 201: { description: 'The new passkey.', schema: PasskeyAnswer } },
    refusals: [
      'unauthorized',
      'invalid_passkey',
      'duplicate_passkey',
      'too_many_passkeys',
      'passkeys_unavailable',
      'cross_site_request',
    ],
    async handle(ask) {
      const { person, token } = await ownSession(ask)
      const { name, credential } = ask.body
      const made = { name, credential: withRawId<RegistrationResponseJSON>(credential), token }
      const passkey = await addPasskey(ask.deps, person, made, recordAsPerson(ask, person))
      return json(201, { data: fromPasskey(passkey) })
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'PATCH',
    url: `${URL}/:passkey_id`,
    operationId: 'renamePasskey',
    summary: 'Rename one of your own passkeys',
    body: PasskeyNameBody,
    example: { name: 'Laptop at the counter' },
    exampleCall: NO_PASSKEY,
    answers: { 200: { description: 'The passkey after the change.', schema: PasskeyAnswer } },
    refusals: ['unauthorized', 'not_found', 'cross_site_request'],
    async handle(ask) {
      const { person } = await ownSession(ask)
      const change = { passkeyId: ask.params.passkey_id as string, name: ask.body.name }
      const passkey = await renameOwnPasskey(ask.deps, person, change, recordAsPerson(ask, person))
      return json(200, { data: fromPasskey(passkey) })
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'POST',
    url: `${URL}/:passkey_id/remove`,
    operationId: 'removePasskey',
    summary: 'Remove one of your own passkeys',
    description:
      'Requires the user’s password, and a code if they have an authenticator app. The user’s other sessions end.',
    body: PasskeyRemovalBody,
    example: { password: 'demo-admin-1' },
    exampleCall: NO_PASSKEY,
    answers: { 204: { description: 'The passkey no longer works.' } },
    refusals: [...STEP_UP, 'not_found', 'passkey_required'],
    async handle(ask) {
      const { person, token } = await ownSession(ask)
      const removal = { ...ask.body, passkeyId: ask.params.passkey_id as string, token }
      await removeOwnPasskey(ask.deps, person, removal, recordAsPerson(ask, person))
      return { status: 204, body: '' }
    },
  }),
]

const shared = { access: 'public', tag: 'People', headers: { 'cache-control': 'no-store' } } as const

export const PASSKEY_LOG_IN_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...shared,
    method: 'POST',
    url: '/session/passkey/options',
    operationId: 'askForPasskey',
    summary: 'Get the options for a login with a passkey',
    description:
      'The response is the same for everybody: the browser offers the passkeys that it has for this site.',
    body: EmptyBody,
    bodyOptional: true,
    answers: { 200: { description: 'The options for the browser.', schema: PasskeyLogInOptionsAnswer } },
    refusals: ['passkeys_unavailable', 'cross_site_request'],
    unaudited: 'Nothing is stored: Drover signs the challenge.',
    async handle({ deps, request }) {
      refuseOtherSites(deps, request)
      return json(200, { data: askForPasskey(deps) })
    },
  }),
  openEndpoint({
    ...shared,
    method: 'POST',
    url: '/session/passkey',
    operationId: 'logInWithPasskey',
    summary: 'Log in with a passkey',
    description:
      'Sets the session as a cookie, as `POST /session` does. Drover asks for no password and no code, because the authenticator has verified its user. Drover accepts fifty failed attempts from an IP address in 15 minutes, with passwords and passkeys together.',
    body: PasskeyLogInBody,
    example: {
      credential: {
        id: 'b2xkLXBhc3NrZXk',
        type: 'public-key',
        response: { clientDataJSON: 'e30', authenticatorData: 'oA', signature: 'oA' },
      },
    },
    exampleCall: { status: { code: 401, because: 'only the authenticator can sign' } },
    answers: WHO,
    refusals: ['invalid_passkey', 'rate_limited', 'passkeys_unavailable', 'cross_site_request'],
    async handle({ deps, body, request, audit }) {
      refuseOtherSites(deps, request)
      const asked = {
        credential: withRawId<AuthenticationResponseJSON>(body.credential),
        network: rateLimitKey(request.ip),
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
      }
      const { token, proof, user, failedBefore } = await logInWithPasskey(deps, asked, audit.record)
      return openedSession(
        { deps, request },
        { token, proof, person: { ...user, bySecondFactor: true, failedBefore } },
      )
    },
  }),
]

/** `rawId` repeats `id` in JSON; a client may leave it out. */
function withRawId<T>(credential: { id: string }): T {
  return { clientExtensionResults: {}, ...credential, rawId: credential.id } as T
}

function fromPasskey({ passkeyId, name, synced, createdAtMs, lastUsedAtMs }: OwnPasskey) {
  return {
    id: passkeyId,
    name,
    synced,
    created_at: recordTime(createdAtMs),
    last_used_at: lastUsedAtMs === null ? null : recordTime(lastUsedAtMs),
  }
}
