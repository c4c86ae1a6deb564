import {
  endOwnOtherSessions,
  endOwnSession,
  listOwnSessions,
  personEnrolling,
} from '../../../operations/people/user-session.ts'
import { ownSession, recordAsPerson } from '../../admission/own-session.ts'
import { personToken } from '../../admission/person-admission.ts'
import { type Endpoint, json, openEndpoint, wholeList } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { EmptyBody } from '../deliveries/lists-schema.ts'
import { OWN_SESSION, OWN_SESSION_ENDPOINT } from '../people/own-session-endpoint.ts'
import { EndedSessionsAnswer, OwnSessionsAnswer } from '../people/people-schema.ts'

const URL = '/session/sessions'

/** The user's own sessions (ASVS 5, 7.5.2): where they are logged in, and an end to each. */
export const OWN_SESSION_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'GET',
    url: URL,
    operationId: 'listOwnSessions',
    summary: 'List your own sessions',
    description: 'Sessions that have ended are not listed. The session used last comes first.',
    exampleCall: { headers: OWN_SESSION },
    answers: { 200: { description: 'The sessions of the logged-in user.', schema: OwnSessionsAnswer } },
    refusals: ['unauthorized'],
    async handle({ deps, request }) {
      const person = await personEnrolling(deps, personToken(request))
      const sessions = await listOwnSessions(deps, person)
      return wholeList(
        sessions.map(({ sessionId, createdAtMs, usedAtMs, browser, ip }) => ({
          id: sessionId,
          current: sessionId === person.sessionId,
          created_at: recordTime(createdAtMs),
          last_used_at: recordTime(usedAtMs),
          browser,
          ip_address: ip,
        })),
      )
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'DELETE',
    url: `${URL}/:session_id`,
    operationId: 'endOwnSession',
    summary: 'End one of your own sessions',
    description: 'To end the session of this request, use `DELETE /session`, which also deletes the cookie.',
    exampleCall: { headers: OWN_SESSION },
    answers: { 204: { description: 'The session has ended in every process.' } },
    refusals: ['unauthorized', 'not_found', 'cross_site_request'],
    async handle(ask) {
      const { person } = await ownSession(ask)
      await endOwnSession(ask.deps, person, ask.params.session_id as string, recordAsPerson(ask, person))
      return { status: 204, body: '' }
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'POST',
    url: '/session/end-others',
    operationId: 'endOtherSessions',
    summary: 'End all of your sessions except this one',
    body: EmptyBody,
    bodyOptional: true,
    exampleCall: { headers: OWN_SESSION },
    answers: {
      200: {
        description: 'The number of sessions that have ended in every process.',
        schema: EndedSessionsAnswer,
      },
    },
    refusals: ['unauthorized', 'cross_site_request'],
    async handle(ask) {
      const { person, token } = await ownSession(ask)
      const ended = await endOwnOtherSessions(ask.deps, person, token, recordAsPerson(ask, person))
      return json(200, { data: { ended } })
    },
  }),
]
