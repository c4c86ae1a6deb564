import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { ensureDemoUsers } from '../src/operations/people/demo-users.ts'
import { type Api, type Call, type Reply, testApi } from './api.ts'
import type { FixtureOptions } from './fixture.ts'

/** The demo's users. */
export const OPERATOR_USER = { email: 'operator@drover.example', password: 'demo-operator-1' }
export const ADMIN = { email: 'admin@wattle.example', password: 'demo-admin-1' }
/** Of melbourne-cbd and fitzroy. */
export const CLERK = { email: 'clerk@wattle.example', password: 'demo-clerk-1' }

/** The whole API, and the demo's users. */
export async function apiWithPeople(t: TestContext, options?: FixtureOptions): Promise<Api> {
  const api = await testApi(t, options)
  await ensureDemoUsers(api.fixture.deps)
  return api
}

/** A browser on our own pages: it stores the cookie, and sends its origin. */
export type Browser = {
  cookie: string | null
  call(line: string, call?: Call): Promise<Reply>
}

export function browserOf({ call }: Pick<Api, 'call'>): Browser {
  const browser: Browser = {
    cookie: null,
    async call(line, options = {}) {
      const headers = {
        'sec-fetch-site': 'same-origin',
        ...(browser.cookie === null ? {} : { cookie: browser.cookie }),
        ...options.headers,
      }
      const reply = await call(line, { token: null, ...options, headers })
      const set = [reply.headers['set-cookie'] ?? []].flat().map(String)
      const ofSession = set.find((cookie) => !cookie.startsWith('__Host-drover-device-'))
      if (ofSession !== undefined) browser.cookie = ofSession.split(';', 1)[0] as string
      return reply
    },
  }
  return browser
}

/** A browser with a logged-in user. */
export async function person(
  api: Pick<Api, 'call'>,
  who: { email: string; password: string; tenant_id?: string },
): Promise<Browser> {
  const browser = browserOf(api)
  const { status, text } = await browser.call('POST /session', { body: who })
  assert.equal(status, 200, text)
  return browser
}
