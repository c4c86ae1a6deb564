import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOf, type Call, deliveryBody, usedBy } from '../../../../test/api.ts'
import { ON_CITUS } from '../../../../test/database.ts'
import { ADMIN, apiWithPeople, browserOf, CLERK, OPERATOR_USER, person } from '../../../../test/people.ts'
import { costsAt } from '../../../../test/statement-costs.ts'
import { untilLockAwaited } from '../../../../test/until-lock-awaited.ts'
import { INSTALLATION } from '../../../domain/people/user.ts'
import { recorder } from '../../../operations/audit/audit.ts'
import { addUser } from '../../../operations/people/users.ts'
import { updatePassword } from '../../../store/people/users.ts'

const COOKIE = '__Host-drover-session'
const TEST_ACT = { kind: 'command', actor: 'test', action: 'test', ip: null, requestId: null } as const

test('users log in by email and password, and log out', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const { db } = api.fixture.deps
  const other = await usedBy(apiOf(api.fixture), api.fixture)
  t.after(() => other.app.close())
  const logIn = (body: object, call: Call = {}) => api.call('POST /session', { body, token: null, ...call })
  const readOnOtherProcess = async (cookie: string | null) =>
    (await other.call('GET /demo/stores', { token: null, headers: { cookie: cookie ?? '' } })).status

  await t.test('a session is a cookie of this host only', async () => {
    const { headers, json } = await logIn(ADMIN)
    assert.match(
      String([headers['set-cookie']].flat()[0]),
      /^__Host-drover-session=demo\.[\w-]{43}; Path=\/; Max-Age=86400; Secure; HttpOnly; SameSite=Lax$/,
    )
    assert.equal(headers['cache-control'], 'no-store')
    const { user, ...account } = json.data
    assert.deepEqual(
      { ...user, id: null },
      { id: null, email: ADMIN.email, name: 'Ada Admin', role: 'merchant_admin', store_references: null },
    )
    assert.deepEqual([account.tenant_id, account.account_name], ['demo', 'Wattle & Co demo'])
  })

  await t.test('a login replaces a cookie that was set before and ends its session', async () => {
    const fixed = `${COOKIE}=demo.${'A'.repeat(43)}`
    const first = await logIn(ADMIN, { headers: { cookie: fixed } })
    const cookie = String(first.headers['set-cookie']).split(';')[0] as string
    assert.notEqual(cookie, fixed)
    assert.equal(await readOnOtherProcess(fixed), 401)
    const second = await logIn(ADMIN, { headers: { cookie } })
    assert.notEqual(String(second.headers['set-cookie']).split(';')[0], cookie)
    assert.equal(await readOnOtherProcess(cookie), 401)
  })

  await t.test('logging out ends a session at once in every process', async () => {
    const clerkId = (await person(api, CLERK).then((one) => one.call('GET /session'))).json.data.user.id
    const admin = await person(api, ADMIN)
    const disable = (disabled: boolean) => admin.call(`PATCH /demo/users/${clerkId}`, { body: { disabled } })
    const ends: [name: string, end: (clerk: Awaited<ReturnType<typeof person>>) => Promise<unknown>][] = [
      ['logging out', (clerk) => clerk.call('DELETE /session')],
      ['idling', () => db.query(`update user_sessions set used_at = now() - interval '4 hours'`)],
      ['age', () => db.query('update user_sessions set expires_at = now()')],
    ]
    for (const [name, end] of ends) {
      const clerk = await person(api, CLERK)
      const { cookie } = clerk
      assert.equal(await readOnOtherProcess(cookie), 200, name)
      await end(clerk)
      assert.equal(await readOnOtherProcess(cookie), 401, name)
    }
    const again = await person(api, ADMIN)
    admin.cookie = again.cookie
    const { cookie } = await person(api, CLERK)
    assert.equal((await disable(true)).json.data.status, 'disabled')
    assert.equal(await readOnOtherProcess(cookie), 401, 'disabled')
    assert.equal((await logIn(CLERK)).json.code, 'invalid_credentials')
    assert.equal((await disable(false)).json.data.status, 'active')
    assert.equal(await readOnOtherProcess(cookie), 401, 'enabled again, and has to log in')
    assert.equal((await logIn(CLERK)).status, 200)
  })

  await t.test('an invalid session cookie grants no access', async () => {
    for (const value of ['', 'x', 'demo.x', `demo.${'A'.repeat(43)}`, `other.${'A'.repeat(43)}`, '~.~']) {
      assert.equal(await readOnOtherProcess(`${COOKIE}=${value}`), 401, value)
    }
    assert.equal((await api.call('GET /session', { token: null })).status, 401)
    assert.equal((await api.call('DELETE /session', { token: null })).status, 204)
  })

  await t.test('a request that changes something must come from our own pages, as JSON', async () => {
    const { cookie } = await person(api, ADMIN)
    const line = 'POST /demo/deliveries'
    const ask = (headers: object, call: Call = { body: deliveryBody() }) =>
      api.call(line, { token: null, ...call, headers: { cookie, ...headers } as Record<string, string> })
    const refused: [name: string, headers: object][] = [
      ['no origin', {}],
      ['null origin', { origin: 'null' }],
      ['a foreign origin', { origin: 'https://evil.example' }],
      ['our name on another port', { origin: 'http://drover.test:8080' }],
      ['a browser that says so', { 'sec-fetch-site': 'cross-site', origin: 'http://drover.test' }],
      ['a sibling', { 'sec-fetch-site': 'same-site', origin: 'http://drover.test' }],
      ['an address typed by hand', { 'sec-fetch-site': 'none' }],
    ]
    for (const [name, headers] of refused) {
      const { status, json } = await ask(headers)
      assert.deepEqual([status, json.code], [403, 'cross_site_request'], name)
    }
    const ours = { 'sec-fetch-site': 'same-origin' }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const { status } = await ask(
        { ...ours, 'content-type': type },
        { payload: JSON.stringify(deliveryBody()) },
      )
      assert.equal(status, 415, type)
    }
    for (const verb of ['DELETE /session', 'DELETE /demo/links/none', 'PUT /admin/accounts/demo/clock']) {
      const { status } = await api.call(verb, { token: null, headers: { cookie: cookie ?? '' }, body: {} })
      assert.equal(status, 403, verb)
    }
    assert.equal((await ask(ours)).status, 201)
    assert.equal((await ask({ origin: 'http://drover.test' })).status, 201)
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } }
    assert.equal(
      (await logIn(ADMIN, foreign)).json.code,
      'cross_site_request',
      'another site cannot log the user in as somebody else',
    )
    const bearer = await api.call(line, { body: deliveryBody(), headers: { cookie: cookie ?? '' } })
    assert.equal(bearer.status, 201, 'a bearer token needs no Origin header')
  })

  await t.test('a session may be read any number of times, from any link', async () => {
    const { cookie } = await person(api, ADMIN)
    const headers = { cookie: cookie ?? '', 'sec-fetch-site': 'cross-site' }
    assert.equal((await api.call('GET /demo/deliveries', { token: null, headers })).status, 200)
  })

  await t.test('a user of several accounts chooses one after the right password', async () => {
    const reply = {
      email: ADMIN.email.toUpperCase(),
      role: 'merchant_admin',
      storeReferences: null,
    } as const
    const { password } = ADMIN
    await addUser(
      api.fixture.deps,
      'acme-byoc',
      { ...reply, name: 'Ada', password },
      recorder(api.fixture.deps, TEST_ACT),
    )
    const which = await logIn(ADMIN)
    assert.deepEqual([which.status, which.json.code], [409, 'account_required'])
    assert.deepEqual(
      which.json.accounts.map((one: { tenant_id: string }) => one.tenant_id),
      ['acme-byoc', 'demo'],
    )
    assert.equal((await logIn({ ...ADMIN, tenant_id: 'acme-byoc' })).json.data.tenant_id, 'acme-byoc')
    assert.equal((await logIn({ ...ADMIN, tenant_id: 'demo' })).json.data.tenant_id, 'demo')
    assert.equal((await logIn({ ...ADMIN, tenant_id: INSTALLATION })).json.code, 'invalid_credentials')
    const wrong = await logIn({ ...ADMIN, password: 'not this one' })
    assert.deepEqual([wrong.status, wrong.json.accounts], [401, undefined])
  })

  await t.test('no secret of a session is stored in clear', async () => {
    const { cookie } = await person(api, CLERK)
    const token = cookie?.split('=')[1] as string
    const { rows } = await db.query(
      `select (select json_agg(s) from user_sessions s)::text || (select json_agg(u) from users u)::text
        || (select json_agg(a) from audit_log a)::text as dump`,
    )
    for (const secret of [token, token.split('.')[1] as string, CLERK.password, ADMIN.password]) {
      assert.ok(!rows[0].dump.includes(secret))
    }
  })

  await t.test('a password that is replaced during the comparison does not log in', async () => {
    const { user } = (await (await person(api, CLERK)).call('GET /session')).json.data
    const replacing = await db.connect()
    try {
      await replacing.query('begin')
      const userKey = { accountId: 'demo', userId: user.id }
      await updatePassword(replacing, userKey, { passwordHash: 'another', name: null })
      const late = logIn(CLERK)
      await untilLockAwaited(db)
      await replacing.query('commit')
      assert.equal((await late).json.code, 'invalid_credentials')
    } finally {
      replacing.release()
    }
    const { rows } = await db.query('select from user_sessions where user_id = $1', [user.id])
    assert.equal(rows.length, 0)
  })
})

test('guesses are limited per email and IP address, and responses do not say which users exist', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const other = await usedBy(apiOf(api.fixture), api.fixture)
  t.after(() => other.app.close())
  const { db } = api.fixture.deps
  const guess = (email: string, password = 'not this one', by = api) =>
    by.call('POST /session', { body: { email, password }, token: null })

  const toComparable = ({ json }: { json: Record<string, unknown> }) => ({ ...json, request_id: null })
  const known = await guess(ADMIN.email)
  const unknown = await guess('nobody@wattle.example')
  assert.deepEqual(toComparable(known), toComparable(unknown))
  assert.deepEqual(Object.keys(known.headers), Object.keys(unknown.headers))

  // Three more here and one in another process make five; concurrent attempts gain no extra one.
  const emails = [ADMIN.email, 'nobody@wattle.example']
  for (const email of emails) {
    const concurrent = await Promise.all([
      guess(email),
      guess(email.toUpperCase()),
      guess(email),
      guess(email, '?', other),
    ])
    assert.deepEqual(new Set(concurrent.map(({ status }) => status)), new Set([401]), email)
    const late = await guess(email, ADMIN.password, other)
    assert.equal(late.status, 429, `${email}, though right`)
    assert.match(late.json.detail, /^Too many attempts\. Try again in 1[0-5] minutes\.$/)
    assert.ok(Number(late.headers['retry-after']) > 540)
  }
  assert.equal((await guess(CLERK.email, CLERK.password)).status, 200, 'no other caller is delayed')

  await db.query(`update login_attempts set ends_at = now() - interval '1 second'`)
  assert.equal((await guess(ADMIN.email, ADMIN.password)).status, 200, 'a quarter of an hour later')
  for (let tries = 0; tries < 4; tries++) await guess(ADMIN.email)
  assert.equal(
    (await guess(ADMIN.email, ADMIN.password)).status,
    200,
    'a right one is never counted as the sixth',
  )
  assert.equal((await guess(ADMIN.email)).status, 401, 'and resets the wrong tries')

  // The state after a process died between counting an attempt and comparing the password.
  await db.query(`update login_attempts set attempts = 5`)
  assert.equal((await guess(ADMIN.email, ADMIN.password)).status, 429)
  await db.query('delete from login_attempts')
  await guess(CLERK.email)
  await db.query('update login_attempts set attempts = 50')
  assert.equal((await guess('somebody@wattle.example')).status, 429, 'one IP address')
  const browser = browserOf(api)
  assert.equal((await browser.call('POST /session/forgotten', { body: { email: ADMIN.email } })).status, 429)
})

test('a user who knows one account’s password has five guesses at another with the same address', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const { deps } = api.fixture
  const eve = {
    email: ADMIN.email,
    name: 'Eve',
    password: 'a phrase of her own',
    role: 'merchant_admin',
  } as const
  await addUser(deps, 'acme-byoc', { ...eve, storeReferences: null }, recorder(deps, TEST_ACT))
  const ask = async (password: string, tenant_id?: string) =>
    (await api.call('POST /session', { body: { email: ADMIN.email, password, tenant_id }, token: null }))
      .status

  for (let tries = 0; tries < 5; tries++) {
    assert.equal(
      await ask(eve.password, 'acme-byoc'),
      200,
      'a login that names the account counts as a guess there only',
    )
    assert.equal(await ask('not this one', 'demo'), 401)
  }
  assert.equal(await ask(ADMIN.password, 'demo'), 429, 'and that refunds no guess')

  await deps.db.query('delete from login_attempts')
  for (let tries = 0; tries < 5; tries++) assert.equal(await ask(eve.password), 200)
  assert.equal(await ask(eve.password), 429, 'each counted as a guess at the other account')

  await deps.db.query('delete from login_attempts')
  for (let tries = 0; tries < 3; tries++) assert.equal(await ask('not this one'), 401)
  await deps.db.query(`update users set disabled_at = now() where email = $1 and name = 'Eve'`, [ADMIN.email])
  assert.equal(await ask(ADMIN.password), 200)
  for (let tries = 0; tries < 5; tries++)
    assert.equal(await ask('not this one'), 401, 'with one account again, the tries are reset')
})

test('each login costs one scrypt, whether the address is unknown, known or in several accounts', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const { deps } = api.fixture
  const by = recorder(deps, TEST_ACT)
  const twice = {
    email: CLERK.email,
    name: 'Cleo',
    password: CLERK.password,
    role: 'merchant_admin',
  } as const
  await addUser(deps, 'acme-byoc', { ...twice, storeReferences: null }, by)
  const invited = { email: 'new@wattle.example', role: 'merchant_admin', password: ADMIN.password }
  const admin = await person(api, ADMIN)
  assert.equal((await admin.call('POST /demo/users', { body: invited })).status, 201)

  const costOf = costsAt(t, api)
  const cost = {
    ...{ createHmac: 0, scrypt: 1 },
    ...{ 'count-login-attempts': 1, 'list-users-by-email': 1 },
    ...(ON_CITUS
      ? { 'record-failed-login-of-user': 1, 'touch-login-attempts': 1 }
      : { 'record-failed-login': 1 }),
  }
  for (const email of ['nobody@wattle.example', ADMIN.email, CLERK.email, invited.email]) {
    const guess = () => api.call('POST /session', { body: { email, password: 'not this one' }, token: null })
    assert.deepEqual(await costOf(guess), cost, email)
  }
})

test('well-known demo credentials give no access to a live installation', async (t) => {
  const api = await apiWithPeople(t, { work: false, live: true })
  for (const { email, password } of [ADMIN, OPERATOR_USER]) {
    const { json } = await api.call('POST /session', { body: { email, password }, token: null })
    assert.equal(json.code, 'invalid_credentials', email)
  }
  const credentials = { client_id: 'demo-client', client_secret: 'demo-secret' }
  const body = { grant_type: 'client_credentials', ...credentials }
  const reply = await api.call('POST /demo/auth/token', { body, token: null })
  assert.deepEqual([reply.status, reply.json.error], [401, 'invalid_client'])
})

test('well-known demo credentials give no access to a live account', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const live = await api.operator('PUT /admin/accounts/demo', { body: { ...document, mode: 'live' } })
  assert.equal(live.status, 200, live.text)
  for (const { email, password } of [ADMIN, OPERATOR_USER]) {
    const { json } = await api.call('POST /session', { body: { email, password }, token: null })
    assert.equal(json.code, 'invalid_credentials', email)
  }
})

/** Resolves when a statement waits for a lock of another transaction. */
