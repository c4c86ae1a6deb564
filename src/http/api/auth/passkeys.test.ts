import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Api } from '../../../../test/api.ts'
import { type Faults, softAuthenticator } from '../../../../test/passkey.ts'
import {
  ADMIN,
  apiWithPeople,
  type Browser,
  browserOf,
  CLERK,
  OPERATOR_USER,
  person,
} from '../../../../test/people.ts'
import { untilLockAwaited } from '../../../../test/until-lock-awaited.ts'
import { getRelyingParty } from '../../../operations/people/passkey-challenge.ts'
import { withTransaction } from '../../../store/db/pool.ts'
import { endUserSessions, lockUser } from '../../../store/people/users.ts'

const SITE = 'https://drover.test'
type Authenticator = ReturnType<typeof softAuthenticator>

const passkeyApi = (t: TestContext): Promise<Api> => apiWithPeople(t, { work: false, publicUrl: SITE })

/** Asks for the options and sends the authenticator's answer. */
async function add(
  browser: Browser,
  authenticator: Authenticator,
  { who = ADMIN, faults = {}, name = 'Phone' }: { who?: typeof ADMIN; faults?: Faults; name?: string } = {},
) {
  const asked = await browser.call('POST /session/passkeys/options', { body: { password: who.password } })
  assert.equal(asked.status, 200, asked.text)
  const credential = authenticator.create(asked.json.data, faults)
  return browser.call('POST /session/passkeys', { body: { name, credential } })
}

async function logIn(api: Api, authenticator: Authenticator, faults: Faults = {}, browser = browserOf(api)) {
  const asked = await browser.call('POST /session/passkey/options')
  assert.equal(asked.status, 200, asked.text)
  const credential = authenticator.get(asked.json.data, faults)
  const reply = await browser.call('POST /session/passkey', { body: { credential } })
  return { reply, credential, browser }
}

test('a passkey is added with the password, and logs its user in without password and code', async (t) => {
  const api = await passkeyApi(t)
  const admin = await person(api, ADMIN)
  const phone = softAuthenticator(SITE)
  const without = await admin.call('POST /session/passkeys/options', { body: { password: 'not this one' } })
  assert.equal(without.json.code, 'invalid_credentials')
  const added = await add(admin, phone, { name: 'Ada’s phone' })
  assert.equal(added.status, 201, added.text)
  assert.equal(added.json.data.name, 'Ada’s phone')
  assert.equal((await admin.call('GET /session')).json.data.passkeys, 1)

  const { reply, credential, browser } = await logIn(api, phone)
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.json.data.user.email, ADMIN.email)
  assert.equal((await browser.call('GET /demo/deliveries')).status, 200)
  const again = await browserOf(api).call('POST /session/passkey', { body: { credential } })
  assert.deepEqual([again.status, again.json.code], [401, 'invalid_passkey'], 'an answer works once')
  const [listed] = (await browser.call('GET /session/passkeys')).json.data
  assert.deepEqual([listed.id, listed.synced], [added.json.data.id, false])
  assert.notEqual(listed.last_used_at, null)

  const users = (await browser.call('GET /demo/users')).json.data
  const shown = users.map(({ email, passkeys }: { email: string; passkeys: number }) => [email, passkeys])
  assert.deepEqual(
    shown.filter(([, passkeys]: [string, number]) => passkeys > 0),
    [[ADMIN.email, 1]],
  )
})

test('of five logins with one answer, one opens a session', async (t) => {
  const api = await passkeyApi(t)
  const phone = softAuthenticator(SITE)
  await add(await person(api, ADMIN), phone)
  const asked = await browserOf(api).call('POST /session/passkey/options')
  const credential = phone.get(asked.json.data)
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => browserOf(api).call('POST /session/passkey', { body: { credential } })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401, 401])
})

test('an answer from another page, without fingerprint or PIN, or by another key opens nothing', async (t) => {
  const api = await passkeyApi(t)
  const phone = softAuthenticator(SITE)
  await add(await person(api, ADMIN), phone)
  const stranger = softAuthenticator(SITE)
  const { id } = phone.get({ challenge: 'AAAA' })
  const cases: [name: string, answer: (options: { challenge: string; rpId: string }) => object][] = [
    ['another page', (options) => phone.get(options, { origin: 'https://drover.example' })],
    ['unverified', (options) => phone.get(options, { isUnverified: true })],
    ['another site', (options) => phone.get({ ...options, rpId: 'drover.example' })],
    ['another key', (options) => ({ ...stranger.get(options), id, rawId: id })],
    ['an unknown passkey', (options) => stranger.get(options)],
    ['a challenge of its own', (options) => phone.get({ ...options, challenge: 'A'.repeat(72) })],
    [
      'a changed challenge',
      (options) => phone.get({ ...options, challenge: `B${options.challenge.slice(1)}` }),
    ],
    [
      'rubbish',
      () => ({
        id,
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
      }),
    ],
  ]
  for (const [at, [name, answer]] of cases.entries()) {
    const { data } = (await browserOf(api).call('POST /session/passkey/options')).json
    const reply = await browserOf(api).call('POST /session/passkey', {
      body: { credential: answer(data) },
      remoteAddress: `10.0.1.${at}`,
    })
    assert.deepEqual([reply.status, reply.json.code], [401, 'invalid_passkey'], name)
  }
  const { rows } = await api.fixture.deps.db.query('select user_id from user_sessions')
  assert.equal(rows.length, 1, 'only the session of the password')
})

test('a challenge expires after five minutes, and a registration is its own user’s', async (t) => {
  const api = await passkeyApi(t)
  const [admin, clerk] = [await person(api, ADMIN), await person(api, CLERK)]
  const phone = softAuthenticator(SITE)
  const asked = await admin.call('POST /session/passkeys/options', { body: { password: ADMIN.password } })
  const made = { name: 'Phone', credential: phone.create(asked.json.data) }
  const theirs = await clerk.call('POST /session/passkeys', { body: made })
  assert.deepEqual(
    [theirs.status, theirs.json.code],
    [401, 'invalid_passkey'],
    'the challenge is the admin’s',
  )
  const logInChallenge = (await browserOf(api).call('POST /session/passkey/options')).json.data
  const wrongUse = { name: 'Phone', credential: phone.create({ ...asked.json.data, ...logInChallenge }) }
  assert.equal((await admin.call('POST /session/passkeys', { body: wrongUse })).json.code, 'invalid_passkey')

  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 5 * 60_000 + 1 })
  const late = await admin.call('POST /session/passkeys', { body: made })
  t.mock.timers.reset()
  assert.deepEqual([late.status, late.json.code], [401, 'invalid_passkey'])
  assert.equal((await admin.call('POST /session/passkeys', { body: made })).status, 201, 'in time')
  assert.equal((await admin.call('POST /session/passkeys', { body: made })).status, 401, 'once')
  const twice = await add(admin, phone)
  assert.deepEqual([twice.status, twice.json.code], [409, 'duplicate_passkey'])
})

test('an attestation with a certificate is refused before its revocation list could be fetched', async (t) => {
  const api = await passkeyApi(t)
  const admin = await person(api, ADMIN)
  const fetched = t.mock.method(globalThis, 'fetch', () => Promise.reject(new Error('fetched')))
  const attStmt = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
    ['x5c', [new Uint8Array(300)]],
  ])
  const reply = await add(admin, softAuthenticator(SITE), {
    faults: { attestation: { fmt: 'packed', attStmt } },
  })
  assert.deepEqual([reply.status, reply.json.code], [401, 'invalid_passkey'])
  assert.equal(fetched.mock.callCount(), 0)
})

test('a counter that goes back is a copied authenticator, and is refused', async (t) => {
  const api = await passkeyApi(t)
  const key = softAuthenticator(SITE)
  await add(await person(api, ADMIN), key)
  assert.equal((await logIn(api, key, { signCount: 7 })).reply.status, 200)
  assert.equal((await logIn(api, key, { signCount: 6 })).reply.json.code, 'invalid_passkey')
  assert.equal((await logIn(api, key, { signCount: 8 })).reply.status, 200)
})

test('a removed passkey, and one of a disabled user, opens nothing; the other sessions end', async (t) => {
  const api = await passkeyApi(t)
  const [admin, clerk] = [await person(api, ADMIN), await person(api, CLERK)]
  const [phone, laptop] = [softAuthenticator(SITE), softAuthenticator(SITE)]
  await add(clerk, phone, { who: CLERK })
  const { id } = (await add(clerk, laptop, { who: CLERK, name: 'Laptop' })).json.data
  const renamed = await clerk.call(`PATCH /session/passkeys/${id}`, { body: { name: 'Counter' } })
  assert.equal(renamed.json.data.name, 'Counter')
  assert.equal((await admin.call(`PATCH /session/passkeys/${id}`, { body: { name: 'Mine' } })).status, 404)
  const { browser: byLaptop } = await logIn(api, laptop)
  const remove = (body: object, from = clerk) => from.call(`POST /session/passkeys/${id}/remove`, { body })
  assert.equal((await remove({ password: 'no' })).json.code, 'invalid_credentials')
  assert.equal((await remove({ password: ADMIN.password }, admin)).status, 404, 'somebody else’s')
  assert.equal((await remove({ password: CLERK.password })).status, 204)
  assert.equal((await byLaptop.call('GET /session')).status, 401, 'its session has ended')
  assert.equal((await clerk.call('GET /session')).status, 200, 'this one stays')
  assert.equal((await logIn(api, laptop)).reply.json.code, 'invalid_passkey')

  const clerkId = (await clerk.call('GET /session')).json.data.user.id
  await admin.call(`PATCH /demo/users/${clerkId}`, { body: { disabled: true } })
  assert.equal((await logIn(api, phone)).reply.json.code, 'invalid_passkey')
})

test('where more than a password is needed, a passkey is enough and a password beside it is not', async (t) => {
  const api = await passkeyApi(t)
  const admin = await person(api, ADMIN)
  const phone = softAuthenticator(SITE)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const put = (who: string) =>
    api.operator('PUT /admin/accounts/demo', { body: { ...document, people: { second_factor: who } } })
  await put('admins')
  assert.equal((await admin.call('GET /session')).json.data.second_factor.must_set_up, true)
  assert.equal((await admin.call('GET /demo/deliveries')).json.code, 'second_factor_setup_required')
  assert.equal((await add(admin, phone)).status, 201)
  assert.equal(
    (await admin.call('GET /demo/deliveries')).status,
    200,
    'the passkey was shown in this session',
  )

  const { reply, browser } = await logIn(api, phone)
  assert.equal(reply.json.data.second_factor.must_set_up, false)
  assert.equal((await browser.call('GET /demo/deliveries')).status, 200)
  const byPassword = await browserOf(api).call('POST /session', { body: ADMIN })
  assert.deepEqual([byPassword.status, byPassword.json.code], [401, 'passkey_required'])

  // A session by password from before the account asked for more.
  await put('optional')
  const older = await person(api, ADMIN)
  await put('admins')
  const body = { password: ADMIN.password }
  assert.equal((await older.call('POST /session/second-factor', { body })).json.code, 'passkey_required')
  assert.equal((await older.call('POST /session/passkeys/options', { body })).json.code, 'passkey_required')
  const [{ id }] = (await browser.call('GET /session/passkeys')).json.data
  const removed = await older.call(`POST /session/passkeys/${id}/remove`, { body })
  assert.equal(removed.json.code, 'passkey_required', 'nor does it clear the way for another')

  const adminId = (await browser.call('GET /session')).json.data.user.id
  const operator = await person(api, OPERATOR_USER)
  const reset = await operator.call(`POST /demo/users/${adminId}/reset-second-factor`, {
    body: { password: OPERATOR_USER.password },
  })
  assert.deepEqual([reset.status, reset.json.data?.passkeys], [200, 0], reset.text)
  assert.equal((await browser.call('GET /session')).status, 401, 'the sessions have ended')
  assert.equal((await browserOf(api).call('POST /session', { body: ADMIN })).status, 200, 'to set up another')
})

test('with an authenticator app, adding and removing a passkey needs its code', async (t) => {
  const api = await passkeyApi(t)
  const admin = await person(api, ADMIN)
  const { password } = ADMIN
  const { secret } = (await admin.call('POST /session/second-factor', { body: { password } })).json.data
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
  await admin.call('POST /session/second-factor/confirm', { body: { code: code(-1) } })
  const without = await admin.call('POST /session/passkeys/options', { body: { password } })
  assert.equal(without.json.code, 'second_factor_required')
  const asked = await admin.call('POST /session/passkeys/options', { body: { password, code: code(0) } })
  const phone = softAuthenticator(SITE)
  const body = { name: 'Phone', credential: phone.create(asked.json.data) }
  const { id } = (await admin.call('POST /session/passkeys', { body })).json.data
  const removal = await admin.call(`POST /session/passkeys/${id}/remove`, { body: { password } })
  assert.equal(removal.json.code, 'second_factor_required')
  assert.equal((await logIn(api, phone)).reply.status, 200, 'the passkey asks for no code')
})

test('an operator has passkeys too, one person ten at most, and one phone one for each person', async (t) => {
  const api = await passkeyApi(t)
  const operator = await person(api, OPERATOR_USER)
  for (let n = 1; n <= 10; n++) {
    const added = await add(operator, softAuthenticator(SITE), { who: OPERATOR_USER, name: `Key ${n}` })
    assert.equal(added.status, 201, added.text)
  }
  const body = { password: OPERATOR_USER.password }
  const eleventh = await operator.call('POST /session/passkeys/options', { body })
  assert.deepEqual([eleventh.status, eleventh.json.code], [409, 'too_many_passkeys'])

  const [admin, clerk] = [await person(api, ADMIN), await person(api, CLERK)]
  const handles = await Promise.all(
    (
      [
        [admin, ADMIN],
        [clerk, CLERK],
      ] as const
    ).map(async ([browser, who]) => {
      const asked = await browser.call('POST /session/passkeys/options', { body: { password: who.password } })
      return asked.json.data.user.id as string
    }),
  )
  assert.notEqual(handles[0], handles[1], 'or a colleague’s passkey would replace the first')
})

test('at an IP address, and without https, passkeys are refused with the reason', async (t) => {
  for (const publicUrl of ['http://203.0.113.7:3000', 'https://[2001:db8::1]', 'http://drover.example']) {
    assert.throws(() => getRelyingParty(publicUrl), { code: 'passkeys_unavailable' }, publicUrl)
  }
  const local = { id: 'localhost', origin: 'http://localhost:3000' }
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    assert.deepEqual(getRelyingParty(`http://${host}:3000/`), local, host)
  assert.throws(() => getRelyingParty('http://127.0.0.1.example.com'), { code: 'passkeys_unavailable' })
  const api = await apiWithPeople(t, { work: false })
  const reply = await api.call('POST /session/passkey/options', { token: null })
  assert.deepEqual([reply.status, reply.json.code], [409, 'passkeys_unavailable'])
  assert.match(reply.json.detail, /PUBLIC_URL/)
})

test('fifty wrong passkeys from an IP address stop further ones, and questions store nothing', async (t) => {
  const api = await passkeyApi(t)
  const stranger = softAuthenticator(SITE)
  const phone = softAuthenticator(SITE)
  await add(await person(api, ADMIN), phone)
  await api.fixture.deps.db.query('delete from used_passkey_challenges')
  for (let tries = 0; tries < 7; tries++) await logIn(api, stranger)
  const together = await Promise.all(Array.from({ length: 12 }, () => logIn(api, phone)))
  assert.deepEqual(
    together.map(({ reply }) => reply.status),
    Array(12).fill(200),
    'a stranger’s mistakes lock nobody out, and neither do good logins at once',
  )
  await api.fixture.deps.db.query('delete from used_passkey_challenges')
  const codes: string[] = []
  for (let tries = 7; tries < 52; tries++) codes.push((await logIn(api, stranger)).reply.json.code)
  assert.deepEqual(codes, [...Array(43).fill('invalid_passkey'), 'rate_limited', 'rate_limited'])
  const { rows } = await api.fixture.deps.db.query('select from used_passkey_challenges')
  assert.equal(rows.length, 0)
})

test('a new passkey ends the other sessions, and none is stored for a session that has ended', async (t) => {
  const api = await passkeyApi(t)
  const [admin, other] = [await person(api, ADMIN), await person(api, ADMIN)]
  const begin = async (browser: Browser) => {
    const asked = await browser.call('POST /session/passkeys/options', { body: { password: ADMIN.password } })
    return { name: 'Phone', credential: softAuthenticator(SITE).create(asked.json.data) }
  }
  const thiefs = await begin(other)
  assert.equal((await add(admin, softAuthenticator(SITE))).status, 201)
  assert.equal((await other.call('GET /session')).status, 401)
  assert.equal((await other.call('POST /session/passkeys', { body: thiefs })).status, 401)

  // The session ends between its check and the insert: the user's row is locked by whoever ends it.
  const clerk = await person(api, CLERK)
  const asked = await clerk.call('POST /session/passkeys/options', { body: { password: CLERK.password } })
  const clerkId = (await clerk.call('GET /session')).json.data.user.id
  const { db } = api.fixture.deps
  const late = await withTransaction(db, async (tx) => {
    await lockUser(tx, 'demo', clerkId)
    const adding = clerk.call('POST /session/passkeys', {
      body: { name: 'Phone', credential: softAuthenticator(SITE).create(asked.json.data) },
    })
    await untilLockAwaited(db)
    await endUserSessions(tx, 'demo', clerkId)
    return { adding }
  })
  const reply = await late.adding
  assert.deepEqual([reply.status, reply.json.code], [401, 'unauthorized'])
  const { rows } = await db.query('select from user_passkeys where user_id = $1', [clerkId])
  assert.equal(rows.length, 0)
})

test('a credential id that differs inside and outside, or is too long, is refused', async (t) => {
  const api = await passkeyApi(t)
  const admin = await person(api, ADMIN)
  const cases = [
    [33, 401, 'invalid_passkey'],
    [2_000, 401, 'invalid_passkey'],
    [4_000, 422, 'invalid_request'],
    [9_000, 422, 'invalid_request'],
  ] as const
  for (const [length, status, code] of cases) {
    const reply = await add(admin, softAuthenticator(SITE), { faults: { innerId: randomBytes(length) } })
    assert.deepEqual([reply.status, reply.json.code], [status, code], `${length}`)
  }
})

test('a credential id that somebody has copied into another account locks nobody out', async (t) => {
  const api = await passkeyApi(t)
  const phone = softAuthenticator(SITE)
  const [admin, operator] = [await person(api, ADMIN), await person(api, OPERATOR_USER)]
  const asked = await admin.call('POST /session/passkeys/options', { body: { password: ADMIN.password } })
  const handle = asked.json.data.user.id
  await admin.call('POST /session/passkeys', {
    body: { name: 'P', credential: phone.create(asked.json.data) },
  })
  const copy = softAuthenticator(SITE, phone.id)
  assert.equal((await add(operator, copy, { who: OPERATOR_USER })).status, 201)
  for (let times = 0; times < 2; times++) {
    const question = (await browserOf(api).call('POST /session/passkey/options')).json.data
    const body = { credential: phone.get(question, {}, handle) }
    const reply = await browserOf(api).call('POST /session/passkey', { body })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.json.data.user.email, ADMIN.email)
  }
})
