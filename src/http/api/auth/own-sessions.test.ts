import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { type Api, apiOf, usedBy } from '../../../../test/api.ts'
import { ADMIN, apiWithPeople, browserOf, CLERK, person } from '../../../../test/people.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const WRONG = 'not this one'

type Listed = { id: string; current: boolean; browser: string | null; ip_address: string | null }

async function listed(browser: Awaited<ReturnType<typeof person>>): Promise<Listed[]> {
  const { status, json, text } = await browser.call('GET /session/sessions')
  assert.equal(status, 200, text)
  return json.data
}

test('users see their own sessions, and end them in every process at once', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const other = await usedBy(apiOf(api.fixture), api.fixture)
  t.after(() => other.app.close())
  const statusElsewhere = async ({ cookie }: { cookie: string | null }) =>
    (await other.call('GET /demo/stores', { token: null, headers: { cookie: cookie ?? '' } })).status

  const here = await person(api, ADMIN)
  const phone = browserOf(api)
  await phone.call('POST /session', { body: ADMIN, headers: { 'user-agent': FIREFOX } })
  const clerk = await person(api, CLERK)

  const sessions = await listed(here)
  assert.deepEqual(
    sessions.map(({ current, browser, ip_address }) => [current, browser, ip_address]).sort(),
    [
      [false, 'Firefox on Windows', '127.0.0.1'],
      [true, null, '127.0.0.1'],
    ],
    'of this person only',
  )
  const ofPhone = sessions.find(({ current }) => !current)
  const ofClerk = (await listed(clerk))[0]
  const end = (browser: typeof here, id = '') => browser.call(`DELETE /session/sessions/${id}`)

  for (const id of [ofClerk?.id, 'ses_none', ofPhone?.id.toUpperCase()]) {
    assert.equal((await end(here, id)).status, 404, id)
  }
  assert.equal(await statusElsewhere(clerk), 200, 'users cannot end another user’s session')
  const ridden = { 'sec-fetch-site': 'cross-site' }
  const verbs = [`DELETE /session/sessions/${ofPhone?.id}`, 'POST /session/end-others']
  for (const verb of verbs) assert.equal((await here.call(verb, { headers: ridden })).status, 403, verb)

  assert.equal(await statusElsewhere(phone), 200)
  assert.equal((await end(here, ofPhone?.id)).status, 204)
  assert.equal(await statusElsewhere(phone), 401)
  assert.equal((await end(here, ofPhone?.id)).status, 404, 'it has ended already')

  const more = [await person(api, ADMIN), await person(api, ADMIN)]
  const { json } = await here.call('POST /session/end-others', { body: {} })
  assert.deepEqual(json, { data: { ended: 2 } })
  for (const one of more) assert.equal(await statusElsewhere(one), 401)
  assert.equal(await statusElsewhere(here), 200)
  assert.equal(await statusElsewhere(clerk), 200)

  const idle = await person(api, ADMIN)
  const { deps } = api.fixture
  await deps.db.query(`update user_sessions set used_at = now() - interval '4 hours' where session_id = $1`, [
    (await listed(idle)).find(({ current }) => current)?.id,
  ])
  assert.equal((await listed(here)).length, 1, 'a session that has ended by itself is not listed')
  for (const line of ['GET /session/sessions', ...verbs]) {
    const reply = await browserOf(api).call(line)
    assert.equal(reply.status, 401, line)
  }
})

test('failed logins are counted per user until they log in, and shown to them and their admin', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const fail = (who = CLERK) => api.call('POST /session', { token: null, body: { ...who, password: WRONG } })
  const shownToAdmin = async () => {
    const { json } = await admin.call('GET /demo/users')
    return json.data.find(({ email }: { email: string }) => email === CLERK.email).failed_logins
  }
  assert.deepEqual(await shownToAdmin(), { count: 0, last_at: null })
  const beganMs = Date.now()
  for (let tries = 0; tries < 3; tries++) assert.equal((await fail()).status, 401)
  await fail({ ...CLERK, email: 'nobody@wattle.example' })
  const shown = await shownToAdmin()
  assert.equal(shown.count, 3)
  assert.ok(Math.abs(Date.parse(shown.last_at) - beganMs) < 60_000, shown.last_at)

  const clerk = browserOf(api)
  const { json: entered } = await clerk.call('POST /session', { body: CLERK })
  assert.deepEqual(entered.data.failed_logins, shown)
  assert.deepEqual(
    (await clerk.call('GET /session')).json.data.failed_logins,
    shown,
    'the page reads it later',
  )
  assert.deepEqual(await shownToAdmin(), { count: 0, last_at: null }, 'since the last login')
  const again = await person(api, CLERK)
  assert.equal((await again.call('GET /session')).json.data.failed_logins.count, 0)
})

test('a wrong code counts as a failed login; a right password without its code does not', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const code = await enrolled(api)
  const logIn = (body: object) => api.call('POST /session', { token: null, body: { ...ADMIN, ...body } })
  assert.equal((await logIn({})).json.code, 'second_factor_required')
  assert.equal((await logIn({ code: '000000' })).json.code, 'invalid_second_factor')
  assert.equal((await logIn({ password: WRONG })).json.code, 'invalid_credentials')
  const { json } = await logIn({ code })
  assert.equal(json.data.failed_logins.count, 2)
})

/** Sets up the admin's authenticator app; returns a code that is not used yet. */
async function enrolled(api: Api): Promise<string> {
  const admin = await person(api, ADMIN)
  const setup = await admin.call('POST /session/second-factor', { body: { password: ADMIN.password } })
  const totp = new TOTP({ secret: Secret.fromBase32(setup.json.data.secret) })
  const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
  await admin.call('POST /session/second-factor/confirm', { body: { code: code(-1) } })
  return code(0)
}
