import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import pino from 'pino'
import { type Api, apiOf, type Call, type Reply, usedBy } from '../../../../test/api.ts'
import { CLIENT, forgingServer, type LogInThere, openIdServer } from '../../../../test/openid-server.ts'
import { softAuthenticator } from '../../../../test/passkey.ts'
import { ADMIN, apiWithPeople, CLERK } from '../../../../test/people.ts'
import { untilLockAwaited } from '../../../../test/until-lock-awaited.ts'
import { setSecret } from '../../../operations/accounts/secrets.ts'

/** A browser with all of its cookies. */
function browserOf({ call }: Pick<Api, 'call'>) {
  const jar = new Map<string, string>()
  const send = async (line: string, options: Call = {}, site = 'same-origin'): Promise<Reply> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'sec-fetch-site': site, ...(cookie ? { cookie } : {}), ...options.headers }
    const reply = await call(line, { token: null, ...options, headers })
    for (const set of [reply.headers['set-cookie'] ?? []].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (set.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
      assert.match(set, /Secure; HttpOnly; SameSite=/)
    }
    return reply
  }
  return {
    jar,
    call: send,
    /** The address to which the provider's answer sends the browser. */
    async callBack(path: string): Promise<string> {
      const reply = await send(`GET ${path}`, {}, 'cross-site')
      assert.equal(reply.status, 303, reply.text)
      const to = String(reply.headers.location)
      assert.match(to, /^https?:\/\/drover\.test\/portal/)
      return to.slice(new URL(to).origin.length)
    },
  }
}
type Browser = ReturnType<typeof browserOf>

/** Another account of the fixture. */
const SECOND = 'acme-byoc'

const OPENID = { name: 'Acme', client_id: CLIENT.id, client_secret: { secret: 'acme-client' } }

async function configure(api: Api, provider: object | null, accountId = 'demo'): Promise<void> {
  await setSecret(api.fixture.deps, accountId, { name: 'acme-client', secret: CLIENT.secret })
  const { json: document } = await api.operator(`GET /admin/accounts/${accountId}`)
  const sign_in = provider === null ? {} : { openid_connect: { ...OPENID, ...provider } }
  const put = await api.operator(`PUT /admin/accounts/${accountId}`, { body: { ...document, sign_in } })
  assert.equal(put.status, 200, put.text)
}

async function setUp(t: TestContext, provider: object = {}) {
  const api = await apiWithPeople(t, { work: false })
  const server = await openIdServer(t, 'http://drover.test', ['demo', SECOND])
  await configure(api, { issuer: server.issuer, ...provider })
  return { api, server, ...actions(api, server) }
}

function actions(api: Api, server: Awaited<ReturnType<typeof openIdServer>>) {
  const begin = async (browser: Browser, body: object = {}) => {
    const reply = await browser.call('POST /session/openid', {
      body: { tenant_id: 'demo', purpose: 'log_in', ...body },
    })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data.url as string
  }
  const logIn = async (who: LogInThere, body: object = {}, browser = browserOf(api)) => {
    const answer = await server.visit(await begin(browser, body), who)
    return { browser, answer, to: await browser.callBack(answer) }
  }
  /** A person who has logged in with their password links their identity. */
  const link = async (user: typeof ADMIN, who: LogInThere, extra: object = {}) => {
    const browser = browserOf(api)
    const entered = await browser.call('POST /session', { body: { ...user, ...extra } })
    assert.equal(entered.status, 200, entered.text)
    const body = { purpose: 'link', password: user.password, ...extra }
    return { browser, to: (await logIn(who, body, browser)).to }
  }
  return { begin, logIn, link }
}

const session = (browser: Browser) => browser.call('GET /session')
const problem = (name: string) => `/portal/log-in?problem=${name}&tenant_id=demo`

test('a person links their identity with their password, and logs in with it from then on', async (t) => {
  const { api, logIn, link, begin } = await setUp(t)
  const offered = await api.call('GET /session/openid?tenant_id=demo', { token: null })
  const redirectOf = (id: string) => `http://drover.test/session/openid/callback/${id}`
  assert.deepEqual(offered.json.data, { provider: { name: 'Acme' }, redirect_url: redirectOf('demo') })
  for (const other of ['no-such', '~']) {
    const none = await api.call(`GET /session/openid?tenant_id=${other}`, { token: null })
    assert.deepEqual(none.json.data, { provider: null, redirect_url: redirectOf(other) })
  }
  assert.equal((await logIn({ sub: 'ada' })).to, problem('openid_not_linked'))

  const linked = await link(ADMIN, { sub: 'ada' })
  assert.equal(linked.to, '/portal/log-in')
  assert.deepEqual((await session(linked.browser)).json.data.openid, { name: 'Acme', linked: true })

  const { browser, to } = await logIn({ sub: 'ada' })
  assert.equal(to, '/portal')
  const { json } = await session(browser)
  assert.equal(json.data.user.email, ADMIN.email)
  assert.equal((await browser.call('GET /demo/deliveries')).status, 200)
  assert.deepEqual(
    [...browser.jar.keys()].sort().map((name) => name.replace(/usr_.*/, 'usr')),
    ['__Host-drover-device-usr', '__Host-drover-session'],
  )
  assert.equal(
    (await logIn({ sub: 'ada' }, { return_to: '/portal/deliveries?q=a' })).to,
    '/portal/deliveries?q=a',
  )

  const { rows } = await api.fixture.deps.db.query(
    `select action, actor_kind, actor, after, ip from audit_log where action ~ 'OpenId' order by audit_id`,
  )
  assert.deepEqual(
    rows.map(({ action, actor_kind, actor }) => [action, actor_kind, actor === json.data.user.id]),
    ['linkOpenId', 'logInWithOpenId', 'logInWithOpenId'].map((action) => [action, 'user', true]),
  )
  assert.ok(!JSON.stringify(rows).includes('"ada"'), 'the log does not have the subject')

  const url = new URL(await begin(browserOf(api)))
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
  assert.equal(url.searchParams.get('scope'), 'openid')
  assert.equal(url.searchParams.get('redirect_uri'), redirectOf('demo'))
})

test('linking and unlinking need the password, and unlinking ends the other sessions', async (t) => {
  const { api, logIn, link } = await setUp(t)
  const browser = browserOf(api)
  const start = (body: object) =>
    browser.call('POST /session/openid', { body: { tenant_id: 'demo', purpose: 'link', ...body } })
  assert.equal((await start({ password: ADMIN.password })).status, 401, 'nobody is logged in')
  await browser.call('POST /session', { body: ADMIN })
  assert.equal((await start({ password: 'not this one' })).json.code, 'invalid_credentials')
  assert.equal((await start({})).json.errors[0].field, 'password')
  const riding = await browser.call(
    'POST /session/openid',
    { body: { tenant_id: 'demo', purpose: 'link' } },
    'cross-site',
  )
  assert.equal(riding.json.code, 'cross_site_request')

  const linked = await link(ADMIN, { sub: 'ada' })
  const other = await logIn({ sub: 'ada' })
  assert.equal((await link(CLERK, { sub: 'ada' })).to, problem('openid_taken'))
  const unlink = (body: object) => linked.browser.call('POST /session/openid/unlink', { body })
  assert.equal((await unlink({ password: 'not this one' })).json.code, 'invalid_credentials')
  assert.equal((await unlink({ password: ADMIN.password })).status, 204)
  assert.equal((await session(other.browser)).status, 401)
  assert.equal((await session(linked.browser)).json.data.openid.linked, false)
  assert.equal((await unlink({ password: ADMIN.password })).json.code, 'not_found')
  assert.equal((await logIn({ sub: 'ada' })).to, problem('openid_not_linked'))
})

const userId = async (browser: Browser) => (await session(browser)).json.data.user.id as string

test('an admin sees who has linked, and unlinks somebody else: their sessions end', async (t) => {
  const { api, logIn, link } = await setUp(t)
  const clerk = await link(CLERK, { sub: 'cleo' })
  const byIdentity = await logIn({ sub: 'cleo' })
  const admin = browserOf(api)
  await admin.call('POST /session', { body: ADMIN })
  const linked = async () =>
    (await admin.call('GET /demo/users')).json.data
      .filter(({ openid_linked }: { openid_linked: boolean }) => openid_linked)
      .map(({ email }: { email: string }) => email)
  assert.deepEqual(await linked(), [CLERK.email])

  const unlink = (id: string, body: object = { password: ADMIN.password }, browser = admin) =>
    browser.call(`POST /demo/users/${id}/unlink-openid`, { body })
  const id = await userId(clerk.browser)
  assert.equal((await unlink(id, {})).json.errors[0].field, 'password')
  assert.equal((await unlink(id, { password: 'not this one' })).json.code, 'invalid_credentials')
  assert.equal((await unlink(id, { password: CLERK.password }, clerk.browser)).status, 403, 'a clerk')
  assert.equal((await unlink(await userId(admin))).json.code, 'own_access_change')
  assert.equal((await unlink('usr_01kb0000000000000000000000')).status, 404)
  assert.deepEqual(await linked(), [CLERK.email])

  const done = await unlink(id)
  assert.deepEqual([done.status, done.json.data.openid_linked], [200, false], done.text)
  for (const { browser } of [clerk, byIdentity]) assert.equal((await session(browser)).status, 401)
  assert.equal((await logIn({ sub: 'cleo' })).to, problem('openid_not_linked'))
  assert.equal((await unlink(id)).status, 200, 'again')
  const [latest] = (await admin.call('GET /demo/audit-log?action=unlinkUserOpenId')).json.data
  assert.deepEqual(
    [latest.actor.name, latest.object, latest.after],
    ['Ada Admin', id, { linked: false }],
    'with what it did',
  )
  assert.equal(
    (await browserOf(api).call('POST /session', { body: CLERK })).status,
    200,
    'their password works',
  )
})

test('unlinking and logging in at the same moment never leave a session without its identity', async (t) => {
  const { api, server, begin, link } = await setUp(t)
  const { db } = api.fixture.deps
  const admin = browserOf(api)
  await admin.call('POST /session', { body: ADMIN })
  const outcomes = new Set<string>()
  for (let n = 0; n < 12; n++) {
    const clerk = await link(CLERK, { sub: 'cleo' })
    const id = await userId(clerk.browser)
    const browser = browserOf(api)
    const answer = await server.visit(await begin(browser), { sub: 'cleo' })
    const own = () =>
      clerk.browser.call('POST /session/openid/unlink', { body: { password: CLERK.password } })
    const byAdmin = () =>
      admin.call(`POST /demo/users/${id}/unlink-openid`, { body: { password: ADMIN.password } })
    const [to, unlinked] = await Promise.all([browser.callBack(answer), n % 2 === 0 ? own() : byAdmin()])
    assert.ok(unlinked.status < 300, unlinked.text)
    assert.ok(['/portal', problem('openid_not_linked')].includes(to), to)
    assert.equal((await session(browser)).status, 401, `${n}: ${to}`)
    outcomes.add(to)
  }
  t.diagnostic([...outcomes].join(' and '))

  // Both orders, each forced: the one that comes second waits for the user's row.
  for (const unlinksFirst of [true, false]) {
    const clerk = await link(CLERK, { sub: 'cleo' })
    const id = await userId(clerk.browser)
    const browser = browserOf(api)
    const answer = await server.visit(await begin(browser), { sub: 'cleo' })
    const unlink = () =>
      admin.call(`POST /demo/users/${id}/unlink-openid`, { body: { password: ADMIN.password } })
    const holder = await db.connect()
    await holder.query('begin')
    await holder.query("select from users where account_id = 'demo' and user_id = $1 for update", [id])
    const [first, second] = unlinksFirst
      ? [unlink, () => browser.callBack(answer)]
      : [() => browser.callBack(answer), unlink]
    const begun = [first()]
    await untilLockAwaited(db)
    begun.push(second())
    await untilLockAwaited(db, 2)
    await holder.query('commit')
    holder.release()
    const results = await Promise.all(begun)
    const to = results.find((one) => typeof one === 'string')
    assert.equal(to, unlinksFirst ? problem('openid_not_linked') : '/portal')
    assert.equal((await session(browser)).status, 401, String(unlinksFirst))
  }
})

test('a link is not finished once an admin has ended the session that began it', async (t) => {
  const { api, server, begin } = await setUp(t)
  const browser = browserOf(api)
  await browser.call('POST /session', { body: CLERK })
  const url = await begin(browser, { purpose: 'link', password: CLERK.password })
  const answer = await server.visit(url, { sub: 'cleo' })
  const id = await userId(browser)
  // The session ends while the provider answers: after it was read, before the link is stored.
  const { deps } = api.fixture
  const finish = deps.openIdClient.finish
  t.mock.method(deps.openIdClient, 'finish', async (...args: Parameters<typeof finish>) => {
    const result = await finish(...args)
    await deps.db.query('delete from user_sessions where user_id = $1', [id])
    return result
  })
  assert.equal(await browser.callBack(answer), problem('openid_expired'))
  const { rows } = await deps.db.query('select from user_identities')
  assert.equal(rows.length, 0)
})

test('beside a passkey, a login without several factors and the password set up no other way in', async (t) => {
  const publicUrl = 'https://drover.test'
  const api = await apiWithPeople(t, { work: false, publicUrl })
  const server = await openIdServer(t, publicUrl)
  await configure(api, { issuer: server.issuer })
  const { logIn, link, begin } = actions(api, server)
  const phone = softAuthenticator(publicUrl)
  const { browser } = await link(ADMIN, { sub: 'ada' })
  const { password } = ADMIN
  const asked = await browser.call('POST /session/passkeys/options', { body: { password } })
  const made = { name: 'Phone', credential: phone.create(asked.json.data) }
  assert.equal((await browser.call('POST /session/passkeys', { body: made })).status, 201)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const people = { second_factor: 'everybody' }
  const put = await api.operator('PUT /admin/accounts/demo', { body: { ...document, people } })
  assert.equal(put.status, 200, put.text)

  const weak = (await logIn({ sub: 'ada', amr: ['pwd'] })).browser
  assert.equal((await session(weak)).json.data.second_factor.must_set_up, true)
  const ways: [line: string, body: object][] = [
    ['POST /session/second-factor', { password }],
    ['POST /session/passkeys/options', { password }],
    ['POST /session/openid', { tenant_id: 'demo', purpose: 'link', password }],
  ]
  for (const [line, body] of ways) {
    const { status, json } = await weak.call(line, { body })
    assert.deepEqual([status, json.code], [401, 'passkey_required'], line)
  }
  assert.equal((await weak.call('GET /demo/deliveries')).json.code, 'second_factor_setup_required')

  const strong = (await logIn({ sub: 'ada', amr: ['mfa'] })).browser
  assert.equal((await strong.call('POST /session/second-factor', { body: { password } })).status, 200)
  await begin(strong, { purpose: 'link', password })
})

test('a person who links again has their new identity only', async (t) => {
  const { logIn, link } = await setUp(t)
  await link(ADMIN, { sub: 'ada' })
  assert.equal((await link(ADMIN, { sub: 'ada-2' })).to, '/portal/log-in')
  assert.equal((await logIn({ sub: 'ada' })).to, problem('openid_not_linked'))
  assert.equal((await logIn({ sub: 'ada-2' })).to, '/portal')
  await link(CLERK, { sub: 'cleo' })
  assert.equal((await link(CLERK, { sub: 'ada-2' })).to, problem('openid_taken'))
  assert.equal((await logIn({ sub: 'cleo' })).to, '/portal', 'a link that failed takes nothing away')
})

test('an identity with a user’s email address is nobody until it is linked', async (t) => {
  const { logIn, link } = await setUp(t)
  await link(ADMIN, { sub: 'ada', email: 'other@acme.example' })
  assert.equal((await logIn({ sub: 'mallory', email: ADMIN.email })).to, problem('openid_not_linked'))
})

test('an answer works once, within ten minutes, and in the browser that began', async (t) => {
  const { api, server, begin, logIn, link } = await setUp(t)
  await link(ADMIN, { sub: 'ada' })
  const browser = browserOf(api)
  const answer = await server.visit(await begin(browser), { sub: 'ada' })
  const cookies = new Map(browser.jar)

  const stranger = browserOf(api)
  assert.equal(await stranger.callBack(answer), '/portal/log-in?problem=openid_expired', 'no cookie')
  await begin(stranger)
  assert.equal(await stranger.callBack(answer), problem('openid_expired'), 'the cookie of another login')
  assert.equal((await session(stranger)).status, 401)
  const wrong = new URL(answer, 'http://drover.test')
  wrong.searchParams.set('state', 'wrong')
  assert.equal(await browser.callBack(`${wrong.pathname}${wrong.search}`), problem('openid_expired'))
  const forged = browserOf(api)
  for (const [name, value] of cookies) forged.jar.set(name, `${value.slice(0, -3)}AAA`)
  assert.equal(await forged.callBack(answer), '/portal/log-in?problem=openid_expired')

  for (const [name, value] of cookies) browser.jar.set(name, value)
  assert.equal(await browser.callBack(answer), '/portal')
  for (const [name, value] of cookies) stranger.jar.set(name, value)
  assert.equal(await stranger.callBack(answer), problem('openid_expired'), 'the answer was used')

  const late = browserOf(api)
  const lateAnswer = await server.visit(await begin(late), { sub: 'ada' })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10 * 60_000 + 1_000 })
  assert.equal(await late.callBack(lateAnswer), '/portal/log-in?problem=openid_expired')
  t.mock.timers.reset()
  assert.equal((await logIn('cancelled')).to, problem('openid_cancelled'))
})

test('linking is finished by the session that began it', async (t) => {
  const { api, server, begin } = await setUp(t)
  const browser = browserOf(api)
  await browser.call('POST /session', { body: ADMIN })
  const url = await begin(browser, { purpose: 'link', password: ADMIN.password })
  const answer = await server.visit(url, { sub: 'ada' })
  await browser.call('DELETE /session')
  await browser.call('POST /session', { body: CLERK })
  assert.equal(await browser.callBack(answer), problem('openid_expired'))
  assert.equal((await session(browser)).json.data.openid.linked, false)
})

test('an ID token for another client, another login or another time is rejected', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const past = Math.floor(Date.now() / 1_000) - 3_600
  type Claims = Record<string, unknown>
  const cases: [string, (claims: Claims) => Claims, string, { signedByOther?: boolean }?][] = [
    ['as it should be', (claims) => claims, 'openid_not_linked'],
    ['another audience', (claims) => ({ ...claims, aud: 'another-client' }), 'openid_failed'],
    ['another nonce', (claims) => ({ ...claims, nonce: 'another' }), 'openid_failed'],
    ['no nonce', ({ nonce: _, ...claims }) => claims, 'openid_failed'],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://login.acme.example' }), 'openid_failed'],
    ['expired', (claims) => ({ ...claims, iat: past, exp: past + 60 }), 'openid_failed'],
    ['another key', (claims) => claims, 'openid_failed', { signedByOther: true }],
  ]
  for (const [name, forge, wanted, options] of cases) {
    const server = await forgingServer(t, forge, options)
    await configure(api, { issuer: server.issuer })
    const browser = browserOf(api)
    const begun = await browser.call('POST /session/openid', {
      body: { tenant_id: 'demo', purpose: 'log_in' },
    })
    const answer = server.answerTo(begun.json.data.url)
    assert.equal(await browser.callBack(answer), problem(wanted), name)
    assert.equal((await session(browser)).status, 401, name)
  }
  const server = await forgingServer(t, (claims) => claims)
  await configure(api, { issuer: server.issuer })
  const browser = browserOf(api)
  const begun = await browser.call('POST /session/openid', { body: { tenant_id: 'demo', purpose: 'log_in' } })
  const mixedUp = server.answerTo(begun.json.data.url).replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fother.example')
  assert.equal(await browser.callBack(mixedUp), problem('openid_failed'), 'RFC 9207')
  assert.ok(!server.asked.includes('/token'), 'the code goes to nobody')
})

test('a disabled person, or one whose account has another provider, does not log in', async (t) => {
  const { api, logIn, link } = await setUp(t)
  const { browser } = await link(CLERK, { sub: 'cleo' })
  const { id } = (await session(browser)).json.data.user
  assert.equal((await api.call(`PATCH /demo/users/${id}`, { body: { disabled: true } })).status, 200)
  assert.equal((await logIn({ sub: 'cleo' })).to, problem('openid_not_linked'))
  assert.equal((await api.call(`PATCH /demo/users/${id}`, { body: { disabled: false } })).status, 200)
  assert.equal((await logIn({ sub: 'cleo' })).to, '/portal')
  const other = await openIdServer(t)
  await configure(api, { issuer: other.issuer })
  assert.equal((await actions(api, other).logIn({ sub: 'cleo' })).to, problem('openid_not_linked'))
})

test('two accounts with the same provider keep their identities apart, and a public client needs no secret', async (t) => {
  const { api, server, logIn, link } = await setUp(t)
  const second = SECOND
  await link(ADMIN, { sub: 'ada' })
  await configure(api, { issuer: server.issuer, client_id: 'public', client_secret: undefined }, second)
  const { to } = await logIn({ sub: 'ada' }, { tenant_id: second })
  assert.equal(to, `/portal/log-in?problem=openid_not_linked&tenant_id=${second}`)
  await configure(api, { issuer: server.issuer, client_id: 'public', client_secret: undefined })
  assert.equal((await logIn({ sub: 'ada' })).to, '/portal')
})

test('a second factor is asked for unless the provider says that it asked for several', async (t) => {
  const { api, logIn, link } = await setUp(t)
  const { browser } = await link(ADMIN, { sub: 'ada' })
  const begun = await browser.call('POST /session/second-factor', { body: { password: ADMIN.password } })
  const { secret } = begun.json.data
  const codeOf = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
  const confirmed = await browser.call('POST /session/second-factor/confirm', { body: { code: codeOf(-1) } })
  const recovery: string[] = confirmed.json.data.recovery_codes

  const strong = await logIn({ sub: 'ada', amr: ['pwd', 'mfa'] })
  assert.equal(strong.to, '/portal')
  assert.equal((await strong.browser.call('GET /demo/deliveries')).status, 200)

  const weak = await logIn({ sub: 'ada', amr: ['pwd'] })
  assert.equal(weak.to, '/portal/log-in?tenant_id=demo&openid=code')
  assert.equal((await session(weak.browser)).status, 401, 'no session yet')
  const complete = (code: string, of = weak.browser) =>
    of.call('POST /session/openid/complete', { body: { code } })
  assert.equal((await complete('000000')).json.code, 'invalid_second_factor')
  const cookies = new Map(weak.browser.jar)
  assert.equal((await complete('123456', browserOf(api))).json.code, 'openid_expired', 'another browser')
  const done = await complete(codeOf(0))
  assert.equal(done.status, 200, done.text)
  assert.deepEqual(done.json.data, { return_to: '/portal' })
  const { data } = (await session(weak.browser)).json
  assert.deepEqual([data.user.email, data.failed_logins.count], [ADMIN.email, 1])
  assert.equal((await weak.browser.call('GET /demo/deliveries')).status, 200)
  const again = browserOf(api)
  for (const [name, value] of cookies) again.jar.set(name, value)
  assert.equal((await complete(recovery[0] as string, again)).json.code, 'openid_expired', 'it was finished')

  const guesser = (await logIn({ sub: 'ada' })).browser
  const codes: string[] = []
  for (let n = 0; n < 6; n++) codes.push((await complete('000000', guesser)).json.code)
  assert.deepEqual(codes, [...Array(5).fill('invalid_second_factor'), 'rate_limited'])
})

test('an account that asks for a second factor accepts the provider’s', async (t) => {
  const { api, logIn, link } = await setUp(t)
  await link(ADMIN, { sub: 'ada' })
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const people = { second_factor: 'everybody' }
  await api.operator('PUT /admin/accounts/demo', { body: { ...document, people } })
  const weak = await logIn({ sub: 'ada' })
  assert.equal((await weak.browser.call('GET /demo/deliveries')).json.code, 'second_factor_setup_required')
  const strong = await logIn({ sub: 'ada', amr: ['mfa'] })
  assert.equal((await strong.browser.call('GET /demo/deliveries')).status, 200)
})

test('a provider that is down or has no secret is a plain sentence', async (t) => {
  const { api, server, begin, link } = await setUp(t)
  await link(ADMIN, { sub: 'ada' })
  const browser = browserOf(api)
  const answer = await server.visit(await begin(browser), { sub: 'ada' })
  await server.close()
  assert.equal(await browser.callBack(answer), problem('openid_failed'))
  await configure(api, { issuer: 'http://127.0.0.1:1' })
  const start = (body: object = {}) =>
    api.call('POST /session/openid', { token: null, body: { tenant_id: 'demo', purpose: 'log_in', ...body } })
  const down = await start()
  assert.deepEqual([down.status, down.json.code], [409, 'openid_failed'])
  assert.match(down.json.detail, /^Acme isn’t answering\./)
  await configure(api, { issuer: 'https://10.0.0.8' })
  assert.equal((await start()).json.code, 'openid_failed')
  await configure(api, { issuer: server.issuer, client_secret: { secret: 'not-stored' } })
  assert.equal((await start()).status, 409)
  await configure(api, null)
  assert.equal((await start()).status, 404)
  for (const return_to of [
    'https://evil.example',
    '//evil.example',
    '/portal//../..\\evil',
    '/portal@evil.example',
    '/portals',
  ])
    assert.equal((await start({ return_to })).status, 422, return_to)
})

test('an admin with the grant `sign_in` stores the secret of the client, and no other', async (t) => {
  const { api } = await setUp(t)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const body = { ...document, owner_grants: ['sign_in'] }
  assert.equal((await api.operator('PUT /admin/accounts/demo', { body })).status, 200)
  const browser = browserOf(api)
  await browser.call('POST /session', { body: ADMIN })
  const store = async (name: string) =>
    (await browser.call(`PUT /admin/accounts/demo/secrets/${name}`, { body: { secret: 'new' } })).status
  const remove = async (name: string) =>
    (await browser.call(`DELETE /admin/accounts/demo/secrets/${name}`)).status
  assert.equal(await store('acme-client'), 204)
  assert.equal(await store('openid-client-secret'), 204, 'before a document names it')
  assert.equal(await remove('openid-client-secret'), 204)
  assert.equal(await remove('swiftly-api-key'), 403)
  assert.equal(await store('swiftly-api-key'), 403)
  const none = { ...document, owner_grants: [] }
  assert.equal((await api.operator('PUT /admin/accounts/demo', { body: none })).status, 200)
  assert.equal(await store('acme-client'), 403)
})

test('an admin makes Drover send no other secret to the provider, and none to another provider', async (t) => {
  const { api, server } = await setUp(t)
  const store = (name: string) =>
    setSecret(api.fixture.deps, 'demo', { name, secret: 'a canary of a carrier' })
  for (const name of ['swiftly-api-key', 'of-a-removed-carrier', 'openid-client-secret']) await store(name)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const admin = browserOf(api)
  await admin.call('POST /session', { body: ADMIN })
  const stored = () => storedNames(api)
  const apply = (provider: object | null, more: object = {}) => {
    const sign_in =
      provider === null ? {} : { openid_connect: { ...OPENID, issuer: server.issuer, ...provider } }
    return admin.call('PUT /admin/accounts/demo', { body: { ...document, sign_in, ...more } })
  }
  const named = { client_secret: { secret: 'openid-client-secret' } }
  const refused = await apply({ client_secret: { secret: 'of-a-removed-carrier' } })
  assert.deepEqual([refused.status, refused.json.code], [403, 'not_granted'])
  assert.equal(refused.json.errors[0].field, 'sign_in.openid_connect.client_secret')
  const carriersWith = (secret: string) =>
    document.carriers.map((one: object, index: number) =>
      index === 0 ? { ...one, credentials: { api_key: { secret } } } : one,
    )
  const shared = await apply(named, { carriers: carriersWith('openid-client-secret') })
  assert.equal(shared.status, 403, shared.text)
  const sharedLater = await apply({}, { carriers: carriersWith('acme-client') })
  assert.equal(sharedLater.json.errors?.at(-1).field, 'sign_in.openid_connect.client_secret')
  assert.equal((await apply({ name: 'Acme Group' })).status, 200, 'with the partner’s secret as before')
  assert.ok((await stored()).includes('acme-client'))

  const others = await apply(named)
  assert.deepEqual([others.status, others.json.code], [403, 'not_granted'], 'the operator stored it')
  const secret = { body: { secret: 'the secret of the admin' } }
  const storeAsAdmin = async () =>
    assert.equal(
      (await admin.call('PUT /admin/accounts/demo/secrets/openid-client-secret', secret)).status,
      204,
    )
  await storeAsAdmin()
  const moved = await apply({ issuer: 'https://login.evil.example' })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(
    (await stored()).sort(),
    ['of-a-removed-carrier', 'swiftly-api-key'],
    'neither the secret nor the one that waits for a document goes to the new issuer',
  )
  await storeAsAdmin()
  assert.equal((await apply({ issuer: 'https://login.evil.example', ...named })).status, 200)
  assert.ok((await stored()).includes('openid-client-secret'))
  assert.equal((await apply(null)).status, 200)
  assert.deepEqual(
    (await stored()).sort(),
    ['of-a-removed-carrier', 'swiftly-api-key'],
    'it goes with the provider',
  )
  const [latest] = (await admin.call('GET /demo/audit-log?action=applyAccount')).json.data
  assert.equal(latest.after.deleted_secret, 'openid-client-secret')
})

const storedNames = async (api: Api): Promise<string[]> =>
  (await api.operator('GET /admin/accounts/demo/secrets')).json.data.map(({ name }: { name: string }) => name)

test('an admin who drops the secret, names another issuer and names the secret again does not get it', async (t) => {
  const { api, server } = await setUp(t)
  const secret = 'the partner’s secret of the client'
  await setSecret(api.fixture.deps, 'demo', { name: 'openid-client-secret', secret })
  const named = { client_secret: { secret: 'openid-client-secret' } }
  await configure(api, { issuer: server.issuer, ...named })
  const evil = await recordingServer(t)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const admin = browserOf(api)
  await admin.call('POST /session', { body: ADMIN })
  const apply = async (provider: object) => {
    const openid_connect = { name: 'Acme', client_id: CLIENT.id, issuer: server.issuer, ...provider }
    const body = { ...document, sign_in: { openid_connect } }
    assert.equal((await admin.call('PUT /admin/accounts/demo', { body })).status, 200)
  }
  await apply({})
  assert.ok(!(await storedNames(api)).includes('openid-client-secret'), 'it goes with its reference')
  await apply({ issuer: evil.issuer })
  await apply({ issuer: evil.issuer, ...named })
  const browser = browserOf(api)
  const begun = await browser.call('POST /session/openid', { body: { tenant_id: 'demo', purpose: 'log_in' } })
  assert.equal(begun.json.code, 'openid_failed')
  assert.deepEqual(evil.received, [])
})

/** A provider of an attacker: notes what Drover sends to its token endpoint, and sends people on to `target`. */
async function recordingServer(t: TestContext) {
  const received: { authorization: string; code: string }[] = []
  const own = { issuer: '', received, target: '' }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', own.issuer)
    response.setHeader('content-type', 'application/json')
    if (url.pathname === '/.well-known/openid-configuration') {
      const { issuer } = own
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }
      return response.end(JSON.stringify(metadata))
    }
    if (url.pathname === '/auth') {
      const to = new URL(own.target)
      to.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(303, { location: to.href }).end()
    }
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({
      authorization: request.headers.authorization ?? '',
      code: new URLSearchParams(body).get('code') ?? '',
    })
    response.writeHead(400).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  own.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return own
}

test('a provider that sends a person on to another account’s provider gets no code of it (RFC 9700, 4.4)', async (t) => {
  const { api, server, begin, link } = await setUp(t)
  await link(ADMIN, { sub: 'ada' })
  const evil = await recordingServer(t)
  await configure(api, { issuer: evil.issuer, client_id: 'public', client_secret: undefined }, SECOND)
  // The attacker begins at the first account, and the victim, in a browser of their own, at the attacker's account.
  const attacker = browserOf(api)
  evil.target = await begin(attacker)
  const victim = browserOf(api)
  const answer = await server.visit(await begin(victim, { tenant_id: SECOND }), { sub: 'ada' })
  assert.ok(answer.startsWith('/session/openid/callback/demo?'), answer)
  // Providers such as Entra ID send no `iss`.
  const withoutIssuer = answer.replace(/&iss=[^&]*/, '')
  assert.notEqual(withoutIssuer, answer)
  assert.equal(
    await victim.callBack(withoutIssuer),
    `/portal/log-in?problem=openid_failed&tenant_id=${SECOND}`,
  )
  assert.deepEqual(evil.received, [], 'the code goes nowhere')
  const without = await browserOf(api).call('GET /session/openid/callback?code=x&state=x', {}, 'cross-site')
  assert.equal(without.status, 404, 'there is no address of all accounts')
})

test('a subject that is not 1 to 255 ASCII characters is nobody’s', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const attempt = async (sub: string, purpose: string) => {
    const server = await forgingServer(t, (claims) => ({ ...claims, sub }))
    await configure(api, { issuer: server.issuer })
    const browser = browserOf(api)
    await browser.call('POST /session', { body: CLERK })
    const body = { tenant_id: 'demo', purpose, ...(purpose === 'link' && { password: CLERK.password }) }
    const begun = await browser.call('POST /session/openid', { body })
    return browser.callBack(server.answerTo(begun.json.data.url))
  }
  const wrong = ['a\u0000b', 'x'.repeat(256), 'x'.repeat(5_000), '\ud800', 'zoë', 'a\n']
  for (const sub of wrong)
    for (const purpose of ['log_in', 'link'])
      assert.equal(
        await attempt(sub, purpose),
        problem('openid_failed'),
        `${purpose}: ${JSON.stringify(sub)}`,
      )
  assert.equal(await attempt('x'.repeat(255), 'link'), '/portal/log-in')
})

test('a new password ends the sessions by identity, and the identity stays linked', async (t) => {
  const { logIn, link } = await setUp(t)
  const { browser } = await link(CLERK, { sub: 'cleo' })
  const byIdentity = (await logIn({ sub: 'cleo' })).browser
  const body = { password: CLERK.password, new_password: 'a long enough phrase' }
  const changed = await browser.call('POST /session/change-password', { body })
  assert.ok(changed.status < 300, changed.text)
  assert.equal((await session(byIdentity)).status, 401)
  assert.equal((await session(browser)).json.data.openid.linked, true)
  assert.equal((await logIn({ sub: 'cleo' })).to, '/portal')
})

test('an admin tests a provider before it is in use', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const server = await openIdServer(t)
  const admin = browserOf(api)
  await admin.call('POST /session', { body: ADMIN })
  const check = (issuer: string, by = admin) =>
    by.call('POST /admin/accounts/demo/openid-connect/check', { body: { issuer } })
  const works = await check(server.issuer)
  assert.deepEqual([works.status, works.json.data.ok], [200, true], works.text)
  const answering = async (status: number, body: string, type = 'application/json') => {
    const other = createServer((_, response) => {
      response.writeHead(status, { 'content-type': type })
      response.end(body)
    })
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    t.after(() => other.close())
    return `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  }
  const other = JSON.stringify({ issuer: 'https://other.example', authorization_endpoint: 'x' })
  const cases: [issuer: string, wanted: RegExp][] = [
    ['http://127.0.0.1:1', /^Nothing answers at this address/],
    ['https://10.0.0.8', /^This address isn’t on the public internet/],
    ['https://192.168.1.1', /^This address isn’t on the public internet/],
    [await answering(200, other), /its issuer is written differently/],
    [await answering(404, '{}'), /^There is no OpenID Connect provider/],
    [await answering(200, '<html>', 'text/html'), /^There is no OpenID Connect provider/],
    [await answering(302, ''), /^There is no OpenID Connect provider/],
  ]
  for (const [issuer, wanted] of cases) {
    const { json, text } = await check(issuer)
    assert.equal(json.data?.ok, false, text)
    assert.match(json.data.message, wanted, issuer)
  }
  for (const wrong of ['http://login.acme.example', 'https://login.acme.example?x=1', 'file:///etc/passwd'])
    assert.equal((await check(wrong)).status, 422, wrong)

  const { json: document } = await api.operator('GET /admin/accounts/demo')
  await api.operator('PUT /admin/accounts/demo', { body: { ...document, owner_grants: ['carriers'] } })
  assert.equal((await check(server.issuer)).json.code, 'not_granted')
  const clerk = browserOf(api)
  await clerk.call('POST /session', { body: CLERK })
  assert.equal((await check(server.issuer, clerk)).status, 403)
})

test('fifty failed answers from an address are the limit', async (t) => {
  const { api, server, begin } = await setUp(t)
  const fail = async () => {
    const browser = browserOf(api)
    return browser.callBack(await server.visit(await begin(browser), 'cancelled'))
  }
  for (let n = 0; n < 50; n++) assert.equal(await fail(), problem('openid_cancelled'))
  assert.equal(await fail(), problem('openid_rate_limited'))
})

test('no secret, code, token or subject gets into the log', async (t) => {
  const lines: string[] = []
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  const { api, server } = await setUp(t)
  const logged = await usedBy(apiOf(api.fixture, log), api.fixture)
  t.after(() => logged.app.close())
  const { link, logIn } = actions(logged, server)
  const who = { sub: 'canary-subject', email: 'canary@acme.example' }
  await link(ADMIN, who)
  const { answer, browser } = await logIn(who)
  const code = new URL(answer, 'http://drover.test').searchParams.get('code') as string
  const other = await forgingServer(t, (claims) => ({ ...claims, sub: 'canary-subject', aud: 'x' }))
  await configure(api, { issuer: other.issuer })
  const begun = await browser.call('POST /session/openid', { body: { tenant_id: 'demo', purpose: 'log_in' } })
  assert.equal(await browser.callBack(other.answerTo(begun.json.data.url)), problem('openid_failed'))
  const all = lines.join('')
  assert.match(all, /"reason":"OAUTH_JWT_CLAIM_COMPARISON_FAILED"/)
  for (const secret of [CLIENT.secret, code, 'canary', ...browser.jar.values()])
    assert.ok(!all.includes(secret), secret)
})
