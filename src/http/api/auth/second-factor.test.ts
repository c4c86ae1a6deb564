import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { type Api, apiOf, usedBy } from '../../../../test/api.ts'
import {
  ADMIN,
  apiWithPeople,
  type Browser,
  browserOf,
  CLERK,
  OPERATOR_USER,
  person,
} from '../../../../test/people.ts'
import { resealAll } from '../../../operations/accounts/secrets.ts'
import { recorder } from '../../../operations/audit/audit.ts'
import { addUser } from '../../../operations/people/users.ts'
import { makeSealer } from '../../../operations/secrets/seal.ts'

const TEST_ACT = { kind: 'command', actor: 'test', action: 'test', ip: null, requestId: null } as const

/** The code that the app shows, `steps` of 30 s from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

async function enrol(browser: Browser, password: string): Promise<{ secret: string; recovery: string[] }> {
  const setup = await browser.call('POST /session/second-factor', { body: { password } })
  assert.equal(setup.status, 200, setup.text)
  const { secret, otpauth_url } = setup.json.data
  assert.match(otpauth_url, new RegExp(`^otpauth://totp/Drover:.+secret=${secret}`))
  // The previous step, because the tests still need the codes of the current and later steps.
  const code = codeOf(secret, -1)
  const done = await browser.call('POST /session/second-factor/confirm', { body: { code } })
  assert.equal(done.status, 200, done.text)
  return { secret, recovery: done.json.data.recovery_codes }
}

const logIn = (
  api: Pick<Api, 'call'>,
  body: object,
  headers: Record<string, string> = {},
  remoteAddress = '10.0.0.1',
) => api.call('POST /session', { body, token: null, headers, remoteAddress })

test('an authenticator app is set up and required, and each code works once', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const { deps } = api.fixture
  const [admin, otherSession] = [await person(api, ADMIN), await person(api, ADMIN)]
  const wrongPassword = await admin.call('POST /session/second-factor', {
    body: { password: 'not this one' },
  })
  assert.equal(wrongPassword.json.code, 'invalid_credentials')
  const { secret, recovery } = await enrol(admin, ADMIN.password)
  assert.equal(recovery.length, 10)
  assert.equal((await admin.call('GET /demo/deliveries')).status, 200, 'this session goes on')
  assert.equal((await otherSession.call('GET /session')).status, 401, 'the others are over')
  const { second_factor } = (await admin.call('GET /session')).json.data
  assert.deepEqual(second_factor, {
    active: true,
    required: false,
    must_set_up: false,
    recovery_codes_left: 10,
  })

  const without = await logIn(api, ADMIN)
  assert.deepEqual([without.status, without.json.code], [401, 'second_factor_required'])
  assert.equal((await logIn(api, { ...ADMIN, password: 'not this one' })).json.code, 'invalid_credentials')
  const code = codeOf(secret)
  const both = await Promise.all([1, 2, 3].map(() => logIn(api, { ...ADMIN, code })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401, 401], 'one code, one login')
  assert.equal((await logIn(api, { ...ADMIN, code })).json.code, 'invalid_second_factor')
  assert.equal((await logIn(api, { ...ADMIN, code: codeOf(secret, -1) })).status, 401, 'an earlier code')

  const [first = ''] = recovery
  const typed = first.toLowerCase().replaceAll('-', ' ')
  assert.equal((await logIn(api, { ...ADMIN, code: typed })).status, 200)
  assert.equal((await logIn(api, { ...ADMIN, code: first })).status, 401, 'a recovery code is good once')
  const again = await admin.call('POST /session/second-factor', { body: { password: ADMIN.password } })
  assert.equal(again.json.code, 'second_factor_active')

  const { rows } = await deps.db.query(
    `select (select json_agg(f) from user_factors f)::text || (select json_agg(c) from user_recovery_codes c)::text
       || (select json_agg(a) from audit_log a)::text as dump`,
  )
  for (const one of [secret, ...recovery]) assert.ok(!rows[0].dump.includes(one))
  const sealer = makeSealer('another key of 32 characters or more', [deps.secretKey])
  assert.equal((await resealAll({ db: deps.db, sealer })).factors, 1)

  const off = (body: object) => admin.call('POST /session/second-factor/disable', { body })
  assert.equal((await off({ password: 'no', code: recovery[1] })).json.code, 'invalid_credentials')
  assert.equal((await off({ password: ADMIN.password, code: '000000' })).json.code, 'invalid_second_factor')
  const late = await browserOf(api).call('POST /session', { body: { ...ADMIN, code: recovery[2] } })
  assert.equal(late.status, 200, late.text)
  const sessions = () => deps.db.query('select from user_sessions').then(({ rowCount }) => rowCount)
  assert.ok(((await sessions()) ?? 0) > 1)
  assert.equal((await off({ password: ADMIN.password, code: recovery[1] })).status, 204)
  assert.equal(await sessions(), 1, 'the other sessions are over')
  assert.equal((await admin.call('GET /demo/deliveries')).status, 200, 'this session goes on')
  assert.equal((await logIn(api, ADMIN)).status, 200)
})

test('a right password does not reset the tries that wrong codes have used', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const { secret, recovery } = await enrol(admin, ADMIN.password)
  const wrong = String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0')
  const off = (code: string) =>
    admin.call('POST /session/second-factor/disable', { body: { password: ADMIN.password, code } })
  const codes: string[] = []
  for (let tries = 0; tries < 8; tries++) {
    codes.push((await off(wrong)).json.code)
    const begun = await admin.call('POST /session/second-factor', { body: { password: ADMIN.password } })
    assert.equal(begun.json.code, 'second_factor_active')
  }
  assert.deepEqual(codes.slice(0, 5), Array(5).fill('invalid_second_factor'))
  assert.deepEqual(codes.slice(5), Array(3).fill('rate_limited'))
  assert.equal((await off(recovery[0] as string)).json.code, 'rate_limited', 'also with a right code')
})

test('a user has five guesses at codes in 15 minutes, over all processes', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const other = await usedBy(apiOf(api.fixture), api.fixture)
  t.after(() => other.app.close())
  const { secret } = await enrol(await person(api, ADMIN), ADMIN.password)
  const wrong = String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0')
  const guess = (n: number) => logIn(n % 2 ? api : other, { ...ADMIN, code: wrong }, {}, `10.0.1.${n}`)
  const statuses = []
  for (let n = 0; n < 6; n++) statuses.push((await guess(n)).status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
})

test('an account sets who needs a second factor, and operators need one in live mode', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const [admin, clerk] = [await person(api, ADMIN), await person(api, CLERK)]
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const people = { second_factor: 'admins' }
  assert.equal(
    (await api.operator('PUT /admin/accounts/demo', { body: { ...document, people } })).status,
    200,
  )
  const refused = await admin.call('GET /demo/deliveries')
  assert.deepEqual([refused.status, refused.json.code], [403, 'second_factor_setup_required'])
  assert.equal((await clerk.call('GET /demo/deliveries')).status, 200)
  assert.equal((await admin.call('GET /session')).json.data.second_factor.must_set_up, true)
  await enrol(admin, ADMIN.password)
  assert.equal((await admin.call('GET /demo/deliveries')).status, 200)

  const live = await apiWithPeople(t, { work: false, live: true })
  const { deps } = live.fixture
  const olive = { email: 'olive@us.example', password: 'a phrase of her own' }
  const newUser = { ...olive, name: 'Olive', role: 'operator', storeReferences: null } as const
  await addUser(deps, '~', newUser, recorder(deps, TEST_ACT))
  const operator = await person(live, olive)
  assert.equal((await operator.call('GET /admin/accounts')).json.code, 'second_factor_setup_required')
  const { secret } = await enrol(operator, olive.password)
  assert.equal((await operator.call('GET /admin/accounts')).status, 200)
  const fresh = await logIn(live, { ...olive, code: codeOf(secret) })
  assert.equal(fresh.json.data.second_factor.must_set_up, false)
  assert.equal((await live.operator('GET /admin/accounts')).status, 200, 'the bearer token is unchanged')
  assert.equal((await logIn(api, OPERATOR_USER)).status, 200, 'the demo’s operator needs only the password')
})

test('an admin removes another user’s second factor, and the audit log records it', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const [admin, clerk] = [await person(api, ADMIN), await person(api, CLERK)]
  await enrol(clerk, CLERK.password)
  const users = (await admin.call('GET /demo/users')).json.data
  const idOf = (email: string) => users.find((one: { email: string }) => one.email === email).id
  const reset = (id: string) =>
    admin.call(`POST /demo/users/${id}/reset-second-factor`, { body: { password: ADMIN.password } })
  assert.equal((await reset(idOf(ADMIN.email))).json.code, 'own_access_change')
  assert.equal((await reset('usr_none')).status, 404)
  const done = await reset(idOf(CLERK.email))
  assert.deepEqual([done.status, done.json.data.second_factor], [200, false])
  assert.equal((await clerk.call('GET /session')).status, 401, 'the sessions are over')
  assert.equal((await logIn(api, CLERK)).status, 200)
  const { rows } = await api.fixture.deps.db.query(
    `select object, after from audit_log where action = 'resetUserSecondFactor'`,
  )
  assert.deepEqual(rows, [{ object: idOf(CLERK.email), after: { second_factor: false } }])
})

test('wrong passwords from other addresses do not lock out the owner, with or without a known browser', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const first = await logIn(api, ADMIN)
  const cookies = first.headers['set-cookie'] as string[]
  const device = cookies.find((one) => one.startsWith('__Host-drover-device-'))
  assert.match(
    device ?? '',
    /^__Host-drover-device-usr_\w+=[\w-]{22}\.[\w-]{43}; Path=\/; .+HttpOnly; SameSite=Strict$/,
  )
  const cookie = device?.split(';')[0] ?? ''
  const guess = (remoteAddress: string, headers = {}) =>
    logIn(api, { ...ADMIN, password: 'not this one' }, headers, remoteAddress)

  for (let n = 0; n < 6; n++) await guess('10.0.9.9')
  assert.equal((await guess('10.0.9.9')).status, 429, 'a guessing caller waits')
  assert.equal((await logIn(api, ADMIN, {}, '10.0.0.2')).status, 200, 'from another address')
  assert.equal(
    (await logIn(api, ADMIN, { cookie }, '10.0.9.9')).status,
    200,
    'from the same one, with the browser',
  )

  // The browser's own counter limits an attacker who has stolen it.
  const stolen = []
  for (let n = 0; n < 6; n++) stolen.push((await guess(`10.0.8.${n}`, { cookie })).status)
  assert.deepEqual(stolen, [401, 401, 401, 401, 401, 429])

  // From many IP addresses: attempts are queued, and no user is locked out.
  await api.fixture.deps.db.query('delete from login_attempts')
  for (let n = 0; n < 10; n++) assert.equal((await guess(`10.0.7.${n}`)).status, 401)
  const flood = await Promise.all(Array.from({ length: 9 }, (_, n) => guess(`10.0.6.${n}`)))
  const refused = flood.filter(({ status }) => status === 429)
  assert.ok(refused.length >= 2, `${refused.length} were sent away`)
  assert.ok(refused.every(({ headers }) => Number(headers['retry-after']) <= 10))
  assert.equal(
    (await logIn(api, ADMIN, { cookie }, '10.0.6.1')).status,
    200,
    'the known browser waits for none',
  )
})

test('a browser known to one account gives no extra guesses at the same address in another', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const { deps } = api.fixture
  const eve = { email: ADMIN.email, password: 'a phrase of her own' }
  const newUser = { ...eve, name: 'Eve', role: 'merchant_admin', storeReferences: null } as const
  await addUser(deps, 'acme-byoc', newUser, recorder(deps, TEST_ACT))
  const statuses = []
  for (let n = 0; n < 6; n++) {
    const own = await logIn(api, { ...eve, tenant_id: 'acme-byoc' }, {}, '10.0.5.2')
    assert.equal(own.status, 200)
    const device = (own.headers['set-cookie'] as string[])[1]?.split(';')[0] ?? ''
    const guess = { email: ADMIN.email, password: 'not this one', tenant_id: 'demo' }
    statuses.push((await logIn(api, guess, { cookie: device }, '10.0.5.1')).status)
  }
  assert.deepEqual(statuses.slice(-1), [429])
})
