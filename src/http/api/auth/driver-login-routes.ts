import { setTimeout as sleep } from 'node:timers/promises'
import { phoneIssues } from '../../../domain/quoting/resolve/resolve-delivery.ts'
import { record, text } from '../../../domain/untyped-json.ts'
import {
  askedPhone,
  driverPhone,
  refuseTooManyCodes,
  requestDriverCodes,
  SESSION_LIFE_MS,
  verifyDriverCode,
} from '../../../operations/own-couriers/driver-login.ts'
import { endSession } from '../../../operations/own-couriers/driver-session.ts'
import { accountsOfToken } from '../../../operations/tokens/driver-token.ts'
import { driverToken, sessionCookie } from '../../admission/driver-admission.ts'
import { loginRateLimit } from '../../admission/driver-login-rate-limit.ts'
import { rateLimitKey } from '../../admission/rate-limit.ts'
import { refuseOtherSites, refuseRidden } from '../../admission/same-origin.ts'
import { type Endpoint, json, openEndpoint, type RefusedBody } from '../../contract/endpoint.ts'
import { LoginAnswer, LoginBody, SessionAnswer, VerifyBody } from '../couriers/driver-schema.ts'

/** Minimum response time, so that timing does not reveal whether a phone number is known. */
const FLOOR_MS = 60

export function driverLoginEndpoints(): Endpoint[] {
  const ceilings = loginRateLimit(Date.now())

  return [
    openEndpoint({
      method: 'POST',
      url: '/driver/login',
      operationId: 'loginDriver',
      unaudited: 'The response must not reveal whether anything happened.',
      access: 'public',
      tag: 'Own network',
      summary: 'Request login codes by SMS',
      description:
        'Each account that the courier drives for sends its own code. The response is the same whether or not the phone number belongs to a courier. If the request has a session, only accounts that the session does not cover send a code.',
      body: LoginBody,
      moreIssues: rawPhoneIssues,
      example: { phone: '+61491570156' },
      answers: {
        202: {
          description: 'If the phone number belongs to a courier, a code is on its way.',
          schema: LoginAnswer,
        },
      },
      refusals: ['rate_limited', 'cross_site_request'],
      async handle({ deps, body, request }) {
        refuseOtherSites(deps, request)
        const phone = driverPhone(body.phone)
        ceilings.consumeForIp('codes', rateLimitKey(request.ip), Date.now())
        const floor = sleep(FLOOR_MS)
        const phoneAccounts = await askedPhone(deps, phone)
        const refund = ceilings.consumeForPhone('codes', phoneAccounts, Date.now())
        await refuseTooManyCodes(deps, phoneAccounts).catch(async (error: unknown) => {
          refund()
          await floor
          throw error
        })
        await Promise.all([requestDriverCodes(deps, phoneAccounts, driverToken(request).token), floor])
        return json(202, { data: { expires_in: 300 } })
      },
    }),
    openEndpoint({
      method: 'POST',
      url: '/driver/verify',
      operationId: 'verifyDriver',
      access: 'public',
      tag: 'Own network',
      summary: 'Log in with a code',
      description:
        'The session covers the account that sent the code. A courier who drives for several accounts sends each code in turn, together with the session so far. The new session then covers all accounts whose codes were sent. A code can be tried five times. The response returns the session token in its body, and in a cookie for the driver app.',
      body: VerifyBody,
      moreIssues: rawPhoneIssues,
      example: { phone: '+61491570157', code: '$DRIVER_CODE' },
      answers: { 200: { description: 'A session of at most 7 days.', schema: SessionAnswer } },
      refusals: ['invalid_code', 'rate_limited', 'cross_site_request'],
      async handle({ deps, body, request, audit }) {
        refuseOtherSites(deps, request)
        const phone = driverPhone(body.phone)
        const refundOfIp = ceilings.consumeForIp('guesses', rateLimitKey(request.ip), Date.now())
        const floor = sleep(FLOOR_MS)
        const phoneAccounts = await askedPhone(deps, phone)
        const refundOfPhone = ceilings.consumeForPhone('guesses', phoneAccounts, Date.now())
        const code = body.code.replaceAll(' ', '')
        const token = await verifyDriverCode(deps, phoneAccounts, code, driverToken(request).token).catch(
          async (error: unknown) => {
            await floor
            throw error
          },
        )
        // Only wrong codes count against the limits.
        refundOfIp()
        refundOfPhone()
        const [home = ''] = accountsOfToken(token) ?? []
        audit.note({ accountId: home, by: { kind: 'driver', actor: phone } })
        const answer = { data: { token, expires_in: SESSION_LIFE_MS / 1000 } }
        return json(200, answer, { 'set-cookie': sessionCookie(token, SESSION_LIFE_MS) })
      },
    }),
    openEndpoint({
      method: 'POST',
      url: '/driver/logout',
      operationId: 'logoutDriver',
      access: 'public',
      tag: 'Own network',
      summary: 'Log a driver out',
      answers: {
        204: { description: 'The session has ended in every process, or there was no session.' },
      },
      refusals: ['cross_site_request'],
      async handle({ deps, request, audit }) {
        const { token, byCookie } = driverToken(request)
        if (byCookie) refuseRidden(deps, request)
        else refuseOtherSites(deps, request)
        const ended = token === null ? null : await endSession(deps, token)
        if (ended) audit.note({ accountId: ended.accountId, by: { kind: 'driver', actor: ended.phone } })
        else audit.nothing()
        return { status: 204, headers: { 'set-cookie': sessionCookie('', 0) }, body: '' }
      },
    }),
  ]
}

function rawPhoneIssues({ body }: RefusedBody) {
  return phoneIssues('phone', text(record(body).phone))
}
