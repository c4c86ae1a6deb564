import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
} from '../../../operations/people/second-factor.ts'
import { ownSession, recordAsPerson } from '../../admission/own-session.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { json, openEndpoint } from '../../contract/endpoint.ts'
import { OWN_SESSION, OWN_SESSION_ENDPOINT } from '../people/own-session-endpoint.ts'
import {
  BeginFactorAnswer,
  BeginFactorBody,
  ConfirmFactorBody,
  DisableFactorBody,
  RecoveryCodesAnswer,
} from '../people/people-schema.ts'

const URL = '/session/second-factor'
const shared = { ...OWN_SESSION_ENDPOINT, method: 'POST' } as const

/** The user's own second factor: an authenticator app by TOTP (RFC 6238). */
export const SECOND_FACTOR_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...shared,
    url: URL,
    operationId: 'beginSecondFactor',
    summary: 'Set up an authenticator app',
    description:
      'Returns a new key for the app. The key takes effect when a code confirms it. Each call replaces the previous key.',
    body: BeginFactorBody,
    example: { password: 'demo-admin-1' },
    exampleCall: { headers: OWN_SESSION },
    answers: {
      200: { description: 'The key for the app. It is returned only here.', schema: BeginFactorAnswer },
    },
    refusals: [
      'unauthorized',
      'invalid_credentials',
      'second_factor_active',
      'passkey_required',
      'rate_limited',
      'cross_site_request',
    ],
    unaudited: 'Nothing changes until the confirmation, which is audited.',
    async handle(ask) {
      const { person } = await ownSession(ask)
      const { secret, address } = await beginSecondFactor(ask.deps, person, ask.body.password)
      return json(200, { data: { secret, otpauth_url: address } })
    },
  }),
  openEndpoint({
    ...shared,
    url: `${URL}/confirm`,
    operationId: 'confirmSecondFactor',
    summary: 'Confirm the authenticator app with a code',
    description: 'From then on, each login needs a code. The user’s other sessions end.',
    body: ConfirmFactorBody,
    example: { code: '123456' },
    exampleCall: {
      headers: OWN_SESSION,
      status: { code: 401, because: 'only the authenticator app knows the code' },
    },
    answers: {
      200: {
        description: 'The second factor is active. The recovery codes are returned only here.',
        schema: RecoveryCodesAnswer,
      },
    },
    refusals: [
      'unauthorized',
      'invalid_second_factor',
      'second_factor_active',
      'rate_limited',
      'cross_site_request',
    ],
    async handle(ask) {
      const { person, token } = await ownSession(ask)
      const message = { code: ask.body.code, token }
      const codes = await confirmSecondFactor(ask.deps, person, message, recordAsPerson(ask, person))
      return json(200, { data: { recovery_codes: codes } })
    },
  }),
  openEndpoint({
    ...shared,
    url: `${URL}/disable`,
    operationId: 'disableSecondFactor',
    summary: 'Turn the second factor off',
    description:
      'Requires the user’s password and a code. The user’s other sessions end. If the account requires a second factor, Drover rejects the user’s other requests until they have set up another one.',
    body: DisableFactorBody,
    example: { password: 'demo-admin-1', code: '123456' },
    exampleCall: {
      headers: OWN_SESSION,
      status: { code: 401, because: 'only the authenticator app knows the code' },
    },
    answers: { 204: { description: 'The second factor is off.' } },
    refusals: [
      'unauthorized',
      'invalid_credentials',
      'invalid_second_factor',
      'rate_limited',
      'cross_site_request',
    ],
    async handle(ask) {
      const { person, token } = await ownSession(ask)
      await disableSecondFactor(ask.deps, person, { ...ask.body, token }, recordAsPerson(ask, person))
      return { status: 204, body: '' }
    },
  }),
]
