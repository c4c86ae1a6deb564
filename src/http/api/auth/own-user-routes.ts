import { record, text } from '../../../domain/untyped-json.ts'
import { changeOwnName, changeOwnPassword, newPasswordIssues } from '../../../operations/people/own-user.ts'
import { factorState } from '../../../operations/people/second-factor.ts'
import { ownSession, recordAsPerson } from '../../admission/own-session.ts'
import { deviceCookie } from '../../admission/person-admission.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { OWN_SESSION, OWN_SESSION_ENDPOINT } from '../people/own-session-endpoint.ts'
import { ChangePasswordBody, OwnUserBody, SessionInfoAnswer } from '../people/people-schema.ts'
import { toSessionInfo } from '../people/session-info.ts'

/** The user's own name and password. Admins change access; see `users-routes.ts`. */
export const OWN_USER_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'PATCH',
    url: '/session',
    operationId: 'changeOwnName',
    summary: 'Change your own name',
    body: OwnUserBody,
    example: { name: 'Ada Admin' },
    exampleCall: { headers: OWN_SESSION },
    answers: { 200: { description: 'The user after the change.', schema: SessionInfoAnswer } },
    refusals: ['unauthorized', 'cross_site_request'],
    async handle(ask) {
      const { person } = await ownSession(ask)
      const changed = await changeOwnName(ask.deps, person, ask.body.name, recordAsPerson(ask, person))
      return json(200, { data: await toSessionInfo(ask.deps, changed, await factorState(ask.deps, changed)) })
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'POST',
    url: '/session/change-password',
    operationId: 'changeOwnPassword',
    summary: 'Change your own password',
    description:
      'Requires the user’s current password, and a code if they have a second factor. The user’s other sessions and their password reset links end. At most five failed attempts are allowed in 15 minutes.',
    body: ChangePasswordBody,
    moreIssues({ body }) {
      const password = text(record(body).new_password)
      return password === null ? [] : newPasswordIssues(password, null)
    },
    example: { password: 'the current password', new_password: 'nine lamps by the river' },
    exampleCall: {
      headers: OWN_SESSION,
      status: { code: 401, because: 'only the user knows their password' },
    },
    answers: { 204: { description: 'The password is changed.' } },
    refusals: [
      'unauthorized',
      'invalid_credentials',
      'second_factor_required',
      'invalid_second_factor',
      'rate_limited',
      'cross_site_request',
    ],
    async handle(ask) {
      const { person, token } = await ownSession(ask)
      const { password, new_password: newPassword, code } = ask.body
      const change = { password, newPassword, code, token }
      const { proof } = await changeOwnPassword(ask.deps, person, change, recordAsPerson(ask, person))
      return { status: 204, cookies: [deviceCookie(person.userId, proof)], body: '' }
    },
  }),
]
