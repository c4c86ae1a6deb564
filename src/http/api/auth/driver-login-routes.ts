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
import { loginRateLimit } from '../../admission/login-rate-limit.ts'
import { rateLimitKey } from '../../admission/rate-limit-key.ts'
import { refuseOtherSites, refuseRidden } from '../../admission/same-origin.ts'
import { type Endpoint, json, openEndpoint, type RefusedBody } from '../../contract/endpoint.ts'
import { LoginAnswer, LoginBody, SessionAnswer, VerifyBody } from '../couriers/driver-schema.ts'

/** No answer comes sooner: what the database takes for a known phone more than for an unknown one stays inside. */
const FLOOR_MS = 60

export function driverLoginEndpoints(): Endpoint[] {
  const ceilings = loginRateLimit(Date.now())

  return [
    openEndpoint({
      method: 'POST',
      url: '/driver/login',
      operationId: 'loginDriver',
      unaudited: 'Whether anything happened is not to be told.',
      access: 'public',
      tag: 'Own network',
      summary: 'Ask for log-in codes by SMS',
      description:
        'Each account that the courier drives for sends a code of its own. The answer is the same whether or not the phone is a courier’s. With a session, only accounts that the session does not open send a code.',
      body: LoginBody,
      moreIssues: rawPhoneIssues,
      example: { phone: '+61491570156' },
      answers: {
        202: { description: 'If the phone is a courier’s, a code is on its way.', schema: LoginAnswer },
      },
      refusals: ['rate_limited', 'cross_site_request'],
      async handle({ deps, body, request }) {
        refuseOtherSites(deps, request)
        const phone = driverPhone(body.phone)
        ceilings.spendOfAddress('codes', rateLimitKey(request.ip), Date.now())
        const floor = sleep(FLOOR_MS)
        const asked = await askedPhone(deps, phone)
        const giveBack = ceilings.spendOfPhone('codes', asked, Date.now())
        await refuseTooManyCodes(deps, asked).catch(async (error: unknown) => {
          giveBack()
          await floor
          throw error
        })
        await Promise.all([requestDriverCodes(deps, asked, driverToken(request).token), floor])
        return json(202, { data: { expires_in: 300 } })
      },
    }),
    openEndpoint({
      method: 'POST',
      url: '/driver/verify',
      operationId: 'verifyDriver',
      access: 'public',
      tag: 'Own network',
      summary: 'Log in with the code',
      description:
        'The session opens the account that sent the code. A courier of several accounts sends each code in turn, with the session so far: the new session opens all of those accounts. A code allows five tries. The session is in the answer, and in a cookie for the driver app.',
      body: VerifyBody,
      moreIssues: rawPhoneIssues,
      example: { phone: '+61491570157', code: '$DRIVER_CODE' },
      answers: { 200: { description: 'A session of 7 days at most.', schema: SessionAnswer } },
      refusals: ['invalid_code', 'rate_limited', 'cross_site_request'],
      async handle({ deps, body, request, audit }) {
        refuseOtherSites(deps, request)
        const phone = driverPhone(body.phone)
        const giveBackOfAddress = ceilings.spendOfAddress('guesses', rateLimitKey(request.ip), Date.now())
        const floor = sleep(FLOOR_MS)
        const asked = await askedPhone(deps, phone)
        const giveBackOfPhone = ceilings.spendOfPhone('guesses', asked, Date.now())
        const code = body.code.replaceAll(' ', '')
        const token = await verifyDriverCode(deps, asked, code, driverToken(request).token).catch(
          async (error: unknown) => {
            await floor
            throw error
          },
        )
        // Only wrong codes count.
        giveBackOfAddress()
        giveBackOfPhone()
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
      summary: 'Log out: the session ends at once, everywhere',
      answers: { 204: { description: 'Logged out, whether or not one was logged in.' } },
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
