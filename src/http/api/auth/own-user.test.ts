import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { ADMIN, apiWithPeople, type Browser, browserOf, CLERK, person } from '../../../../test/people.ts'

const NEW = 'nine lamps by the river'

const change = (browser: Browser, body: object) =>
  browser.call('POST /session/change-password', {
    body: { password: CLERK.password, new_password: NEW, ...body },
  })

test('users change their own name, and their access stays', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const clerk = await person(api, CLERK)
  const before = (await clerk.call('GET /session')).json.data
  const { status, json } = await clerk.call('PATCH /session', { body: { name: 'Chloë Nguyen' } })
  assert.equal(status, 200)
  assert.deepEqual(json.data, { ...before, user: { ...before.user, name: 'Chloë Nguyen' } })
  assert.deepEqual((await clerk.call('GET /session')).json.data, json.data)

  const cases: [body: object, field: string][] = [
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'Cleo', role: 'merchant_admin' }, 'role'],
  ]
  for (const [body, field] of cases) {
    const refused = await clerk.call('PATCH /session', { body })
    assert.deepEqual([refused.status, refused.json.errors?.[0].field], [422, field])
  }
  const ridden = { headers: { 'sec-fetch-site': 'cross-site' }, body: { name: 'Mallory' } }
  assert.equal((await clerk.call('PATCH /session', ridden)).status, 403)
  assert.equal((await browserOf(api).call('PATCH /session', { body: { name: 'Nobody' } })).status, 401)
})

test('a new password ends the other sessions and the reset links, and this browser stays known', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const [here, phone] = [await person(api, CLERK), await person(api, CLERK)]
  await api.call('POST /session/forgotten', {
    body: { email: CLERK.email },
    token: null,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const links = () => api.fixture.deps.db.query('select from user_links')
  assert.equal((await links()).rowCount, 1)

  const changed = await change(here, {})
  assert.equal(changed.status, 204, changed.text)
  assert.equal((await here.call('GET /session')).status, 200, 'this session goes on')
  assert.equal((await phone.call('GET /session')).status, 401, 'the others have ended')
  assert.equal((await links()).rowCount, 0)
  const logIn = (password: string, headers = {}) =>
    api.call('POST /session', { body: { ...CLERK, password }, token: null, headers })
  assert.equal((await logIn(CLERK.password)).json.code, 'invalid_credentials')
  assert.equal((await logIn(NEW)).status, 200)

  const device = String(changed.headers['set-cookie']).split(';', 1)[0] ?? ''
  for (let tries = 0; tries < 6; tries++) await logIn('not this one')
  assert.equal((await logIn(NEW)).status, 429)
  assert.equal((await logIn(NEW, { cookie: device })).status, 200, 'a known browser has its own count')
  const { rows } = await api.fixture.deps.db.query(
    `select after from audit_log where action = 'changeOwnPassword'`,
  )
  assert.deepEqual(rows, [{ after: { by: 'user', ended_sessions: 1 } }])
})

test('each mistake in a change of the password is named, and the password stays', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const clerk = await person(api, CLERK)
  const rules: [body: object, message: RegExp][] = [
    [{ new_password: 'short' }, /at least 10 characters/],
    [{ new_password: 'password123' }, /too easy to guess/],
    [{ new_password: 'clerk-1234567' }, /may not be the email address/],
    [{ new_password: CLERK.password }, /the same as the old one/],
    [{ new_password: 'short', password: 'not this one' }, /at least 10 characters/],
  ]
  for (const [body, message] of rules) {
    const { status, json } = await change(clerk, body)
    assert.deepEqual([status, json.errors?.[0].field], [422, 'new_password'], JSON.stringify(body))
    assert.match(json.errors[0].message, message)
  }
  const both = await clerk.call('POST /session/change-password', { body: { new_password: 'short' } })
  const fields = both.json.errors.map(({ field }: { field: string }) => field)
  assert.deepEqual(fields.sort(), ['new_password', 'password'], 'both mistakes at once')

  const ridden = {
    headers: { 'sec-fetch-site': 'cross-site' },
    body: { password: CLERK.password, new_password: NEW },
  }
  assert.equal((await clerk.call('POST /session/change-password', ridden)).status, 403)
  assert.equal((await change(browserOf(api), {})).status, 401)

  for (let tries = 0; tries < 5; tries++) {
    const { status, json } = await change(clerk, { password: 'not this one' })
    assert.deepEqual([status, json.code], [401, 'invalid_credentials'])
  }
  const late = await change(clerk, {})
  assert.deepEqual([late.status, late.json.code], [429, 'rate_limited'], 'five tries, whichever comes next')
  assert.equal((await person(api, CLERK).then((one) => one.call('GET /session'))).status, 200)
})

test('with a second factor, a new password needs a code', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const setup = await admin.call('POST /session/second-factor', { body: { password: ADMIN.password } })
  const totp = new TOTP({ secret: Secret.fromBase32(setup.json.data.secret) })
  const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
  await admin.call('POST /session/second-factor/confirm', { body: { code: code(-1) } })
  const own = { password: ADMIN.password }
  assert.equal((await change(admin, own)).json.code, 'second_factor_required')
  assert.equal((await change(admin, { ...own, code: '000000' })).json.code, 'invalid_second_factor')
  assert.equal((await change(admin, { ...own, code: code(0) })).status, 204)
})

test('of two concurrent changes of a password, one succeeds', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const browsers = [await person(api, CLERK), await person(api, CLERK)]
  const replies = await Promise.all(browsers.map((one, n) => change(one, { new_password: `${NEW} ${n}` })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 401])
})
