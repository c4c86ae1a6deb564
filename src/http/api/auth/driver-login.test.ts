import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageLoginAttempts } from '../../../../test/age-login-attempts.ts'
import { type Api, apiOf, type Call, type Reply, testApi, usedBy } from '../../../../test/api.ts'
import { ON_CITUS } from '../../../../test/database.ts'
import { codeFor, driverApi, MIA, ownDelivery, SAM } from '../../../../test/driver.ts'
import { costsAt } from '../../../../test/statement-costs.ts'

const STRANGER = '+61491570158'

const login = ({ call }: Api, phone: string, from: Call = {}) =>
  call('POST /driver/login', { body: { phone }, token: null, ...from })
const verify = ({ call }: Api, phone: string, code: string, from: Call = {}) =>
  call('POST /driver/verify', { body: { phone, code }, token: null, ...from })
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a code logs in once, within five tries', async (t) => {
  const api = await testApi(t)
  await login(api, '0491 570 156')
  const code = await codeFor(api, SAM)
  for (let tries = 1; tries <= 4; tries++) assert.equal((await verify(api, SAM, wrong(code))).status, 401)
  assert.equal((await verify(api, MIA, code)).status, 401, 'another phone')
  assert.equal((await verify(api, SAM, code)).status, 200, 'the fifth try')
  assert.equal((await verify(api, SAM, code)).json.code, 'invalid_code', 'used')

  await login(api, MIA)
  const second = await codeFor(api, MIA)
  for (let tries = 1; tries <= 5; tries++) assert.equal((await verify(api, MIA, wrong(second))).status, 401)
  assert.equal((await verify(api, MIA, second)).status, 401, 'the sixth try, though right')
  const { rows } = await api.fixture.deps.db.query('select attempts from driver_codes where phone = $1', [
    MIA,
  ])
  assert.equal(rows[0].attempts, 5)
})

test('a try is counted before the code is compared, and a code expires after five minutes', async (t) => {
  const api = await testApi(t)
  const { db } = api.fixture.deps
  await login(api, SAM)
  const code = await codeFor(api, SAM)
  // The state after a process died between counting an attempt and comparing the code.
  await db.query('update driver_codes set attempts = 5')
  assert.equal((await verify(api, SAM, code)).status, 401)
  await db.query(`update driver_codes set attempts = 0, expires_at = now() - interval '1 second'`)
  assert.equal((await verify(api, SAM, code)).status, 401)
})

test('two correct codes at the same moment create one session', async (t) => {
  const api = await testApi(t)
  await login(api, SAM)
  const code = await codeFor(api, SAM)
  const answers = await Promise.all(Array.from({ length: 4 }, () => verify(api, SAM, code)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
  const { rows } = await api.fixture.deps.db.query('select count(*) as n from driver_sessions')
  assert.equal(rows[0].n, 1)
})

test('known and unknown phones get the same response for the same work', async (t) => {
  const api = await testApi(t, { work: false })
  const costOf = costsAt(t, api)
  const toComparable = ({ status, json, headers }: Reply) => ({
    ...{ status, body: { ...json, request_id: null }, headers: Object.keys(headers) },
  })
  const [statuses, unknown] = [await login(api, SAM), await login(api, STRANGER)]
  await ageLoginAttempts(api.fixture.deps.db)
  assert.deepEqual(toComparable(statuses), toComparable(unknown))
  const [bad, none] = [await verify(api, SAM, '000000x'), await verify(api, STRANGER, '000000x')]
  assert.deepEqual(toComparable(bad), toComparable(none))

  const cost = { createHmac: 0, scrypt: 0, 'list-accounts-of-driver': 1 }
  const setting = ON_CITUS
    ? { 'set-driver-code': 1, 'queue-driver-code': 1, unnamed: 2 }
    : { 'set-driver-codes': 1 }
  const counting = ON_CITUS ? { 'count-code-attempt-of-account': 1 } : { 'count-code-attempt': 1 }
  const ofCode = { ...cost, 'count-login-attempts': 2, ...setting }
  const ofTry = { ...cost, ...counting, createHmac: 1 }
  for (const phone of [SAM, STRANGER, MIA]) {
    // Mia has no code yet that an attacker could guess.
    assert.deepEqual(await costOf(() => verify(api, phone, '000000x')), ofTry, phone)
    assert.deepEqual(await costOf(() => login(api, phone)), ofCode, phone)
    await ageLoginAttempts(api.fixture.deps.db)
  }
  assert.deepEqual([await codesSent(api, SAM), await codesSent(api, STRANGER)], [2, 0])
})

test('codes and guesses are limited per phone, for known and unknown phones', async (t) => {
  const api = await testApi(t, { work: false })
  await serveLive(api)
  for (const [number, phone] of [SAM, STRANGER].entries()) {
    const from = { remoteAddress: `10.0.0.${number}` }
    const statuses = []
    for (let n = 0; n < 4; n++) {
      statuses.push((await login(api, phone, from)).status)
      const tooSoon = await login(api, phone, from)
      assert.equal(tooSoon.status, 429, `${phone}, once a minute`)
      assert.ok(Number(tooSoon.headers['retry-after']) > 0)
      await ageLoginAttempts(api.fixture.deps.db)
    }
    assert.deepEqual(statuses, [202, 202, 202, 429], phone)
    const guessed = []
    for (let n = 0; n < 16; n++) guessed.push((await verify(api, phone, 'x', from)).status)
    assert.deepEqual(new Set(guessed.slice(0, 15)), new Set([401]))
    assert.equal(guessed[15], 429)
  }
  assert.equal(await codesSent(api, SAM), 3)
  // Another process knows nothing of these hours; the database limits a phone to three codes, known or not.
  const other = await usedBy(apiOf(api.fixture), api.fixture)
  for (const phone of [SAM, STRANGER]) {
    const { status, headers } = await login(other, phone)
    assert.deepEqual([status, Number(headers['retry-after']) > 3_000], [429, true], phone)
  }
  assert.equal(await codesSent(api, SAM), 3)
  await other.app.close()
})

test('a code that is announced is sent, also when a phone moves from a sandbox to a live account', async (t) => {
  const api = await testApi(t, { work: false })
  for (let n = 0; n < 5; n++) assert.equal((await login(api, SAM)).status, 202)
  await ageLoginAttempts(api.fixture.deps.db)
  const before = await codesSent(api, SAM)
  assert.equal(before, 5)
  await serveLive(api)
  const answers = []
  for (let n = 0; n < 5; n++) {
    answers.push(await login(api, SAM))
    await ageLoginAttempts(api.fixture.deps.db)
  }
  const announced = answers.filter(({ status }) => status === 202).length
  assert.equal(announced, 3)
  assert.equal((await codesSent(api, SAM)) - before, announced)
  const unknownStatuses = []
  for (let n = 0; n < 5; n++) {
    unknownStatuses.push(await login(api, STRANGER))
    await ageLoginAttempts(api.fixture.deps.db)
  }
  const message = ({ status, json }: Reply) => [
    status,
    json.code,
    json.detail?.replace(/[0-9]+ (s|minutes)/, ''),
  ]
  assert.deepEqual(
    unknownStatuses.map(message),
    answers.map(message),
    'the response does not reveal whether the number is a courier’s',
  )
  assert.match(
    answers[4]?.json.detail,
    /^This number has asked for 3 codes in an hour, so we won’t send another/,
  )
})

test('a phone in sandbox accounts only can log in all day', async (t) => {
  const api = await testApi(t)
  for (let n = 0; n < 12; n++) {
    await api.fixture.deps.db.query('delete from messages')
    await login(api, SAM)
    const code = await codeFor(api, SAM)
    assert.equal((await verify(api, SAM, wrong(code))).status, 401)
    assert.equal((await verify(api, SAM, code)).status, 200, `login ${n + 1}`)
  }
  await api.fixture.deps.db.query('delete from messages')
  const statuses = await Promise.all(Array.from({ length: 49 }, () => login(api, SAM)))
  assert.equal(statuses.filter(({ status }) => status === 202).length, 48)
  assert.equal(await codesSent(api, SAM), 48)
  const other = await usedBy(apiOf(api.fixture), api.fixture)
  assert.equal((await login(other, SAM)).status, 429, 'the database has the same limit')
  assert.equal(await codesSent(api, SAM), 48)
  await other.app.close()
})

test('a session ends by logging out, when idle, at its maximum age, and when the courier is disabled', async (t) => {
  const api = await testApi(t)
  const { db } = api.fixture.deps
  const jobs = async (driver: { call: Api['call'] }) => (await driver.call('GET /driver/jobs')).status
  const ends: [name: string, end: (driver: { call: Api['call'] }) => Promise<unknown>][] = [
    ['logout', (driver) => driver.call('POST /driver/logout')],
    ['idle', () => db.query(`update driver_sessions set used_at = now() - interval '12 hours'`)],
    ['age', () => db.query(`update driver_sessions set expires_at = now()`)],
    [
      'switched off',
      async () => {
        const { json } = await api.call('GET /demo/staff-couriers')
        const { id } = json.data.find((one: { phone: string }) => one.phone === SAM)
        await api.call(`PATCH /demo/staff-couriers/${id}`, { body: { active: false } })
      },
    ],
  ]
  for (const [name, end] of ends) {
    const driver = await driverApi(api, SAM)
    assert.equal(await jobs(driver), 200, name)
    await end(driver)
    assert.equal(await jobs(driver), 401, name)
  }

  const list = (await api.call('GET /demo/staff-couriers')).json.data
  const { id } = list.find((one: { phone: string }) => one.phone === SAM)
  const change = (body: object) => api.call(`PATCH /demo/staff-couriers/${id}`, { body })
  const off: [name: string, off: () => Promise<unknown>, on: () => Promise<unknown>][] = [
    ['switched off', () => change({ active: false }), () => change({ active: true })],
    ['another phone', () => change({ phone: STRANGER }), () => change({ phone: SAM })],
    [
      'taken off the list',
      () => api.call(`DELETE /demo/staff-couriers/${id}`),
      () =>
        api.call('POST /demo/staff-couriers', {
          body: { store_reference: 'fitzroy', phone: SAM, driver_name: 'Sam Okafor' },
        }),
    ],
  ]
  await change({ active: true })
  for (const [name, end, again] of off) {
    await db.query('delete from driver_codes')
    const fresh = await usedBy(apiOf(api.fixture), api.fixture)
    t.after(() => fresh.app.close())
    const driver = await driverApi(fresh, SAM)
    assert.equal(await jobs(driver), 200, name)
    await end()
    await again()
    assert.equal(await jobs(driver), 401, `${name}, and on again`)
  }
  for (const token of ['', 'x', 'demo.x', `demo.${'A'.repeat(43)}`, `other.${'A'.repeat(43)}`]) {
    assert.equal((await api.call('GET /driver/jobs', { token })).status, 401, token)
  }
  assert.equal((await api.call('GET /driver/jobs')).status, 401, 'an API client is no driver')
})

test('a code for a live account is not in the outbox', async (t) => {
  const api = await testApi(t, { work: false })
  const { db } = api.fixture.deps
  await serveLive(api)
  // The owner of a sandbox may put any phone on its list, and its name sorts first.
  const byoc = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const [store] = (await api.call('GET /acme-byoc/stores', { token: byoc })).json.data
  const body = { store_reference: store.reference, phone: SAM, driver_name: 'Sam' }
  assert.equal((await api.call('POST /acme-byoc/staff-couriers', { body, token: byoc })).status, 201)

  await login(api, SAM)
  await db.query(`update messages set status = 'no_channel', due_at = null where template = 'driver_code'`)
  const shown = async (accountId: string, token?: string) =>
    (await api.call(`GET /${accountId}/messages?kind=sms`, token === undefined ? {} : { token })).json.data[0]
      .text
  assert.match(await shown('demo'), /^\*{6} is your/)
  const code = (await shown('acme-byoc', byoc)).slice(0, 6)
  const { json } = await verify(api, SAM, code)
  assert.match(json.data.token, /^acme-byoc\./, 'the code that is shown opens its own account only')
})

test('no secret of a login or a job is stored in clear', async (t) => {
  const api = await testApi(t)
  const { id } = await ownDelivery(api)
  await login(api, SAM)
  const code = await codeFor(api, SAM)
  const { json } = await verify(api, SAM, code)
  const { rows } = await api.fixture.deps.db.query(
    `select (select json_agg(m) from messages m)::text || (select json_agg(c) from driver_codes c)::text
       || (select json_agg(s) from driver_sessions s)::text || (select json_agg(o) from courier_offers o)::text as dump`,
  )
  const { data } = (await api.call(`GET /demo/messages?delivery_id=${id}`)).json
  const link = /jobs\/([\w-]{43})$/.exec(data[0].text)?.[1] as string
  for (const secret of [code, json.data.token, json.data.token.split('.')[1], link]) {
    assert.ok(!rows[0].dump.includes(secret))
  }
})

test('a session cookie works only for requests from our own pages', async (t) => {
  const api = await testApi(t)
  const { id } = await ownDelivery(api)
  await login(api, SAM)
  const code = await codeFor(api, SAM)
  const fixed = { cookie: '__Host-drover-driver=demo.given-by-an-attacker' }
  const session = await api.call('POST /driver/verify', {
    body: { phone: SAM, code },
    token: null,
    headers: fixed,
  })
  const set = String(session.headers['set-cookie'])
  assert.match(
    set,
    /^__Host-drover-driver=[^;]{43,}; Path=\/; Max-Age=604800; Secure; HttpOnly; SameSite=Strict$/,
  )
  const cookie = set.split(';')[0] as string
  assert.ok(cookie !== fixed.cookie)

  const ask = (line: string, headers: object, body?: object) =>
    api.call(line, { token: null, headers: { cookie, ...headers }, ...(body === undefined ? {} : { body }) })
  assert.equal((await ask('GET /driver/jobs', {})).status, 200)
  const accept = `POST /driver/jobs/${id}/accept`
  const refused: [name: string, headers: object][] = [
    ['no origin', {}],
    ['null origin', { origin: 'null' }],
    ['another site', { origin: 'https://evil.example' }],
    ['a browser that says so', { 'sec-fetch-site': 'cross-site', origin: 'http://drover.test' }],
    ['a sibling', { 'sec-fetch-site': 'same-site' }],
  ]
  for (const line of [accept, 'POST /driver/logout']) {
    for (const [name, headers] of refused) {
      const { status, json } = await ask(line, headers, {})
      assert.equal(status, 403, `${line}, ${name}`)
      assert.equal(json.code, 'cross_site_request')
    }
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type }
    const form = await api.call(accept, { token: null, headers: { cookie, ...headers }, payload: '{}' })
    assert.equal(form.status, 415, type)
  }
  const foreign = { 'sec-fetch-site': 'cross-site' }
  const body = { phone: SAM }
  assert.equal((await api.call('POST /driver/login', { body, token: null, headers: foreign })).status, 403)
  assert.equal((await ask(accept, { origin: 'http://drover.test' }, {})).status, 200)
  assert.equal((await ask('POST /driver/logout', { 'sec-fetch-site': 'same-origin' })).status, 204)
  assert.equal((await ask('GET /driver/jobs', {})).status, 401)
})

/** Switches the demo account to live mode. */
async function serveLive({ operator }: Api): Promise<void> {
  const { json: document } = await operator('GET /admin/accounts/demo')
  const live = await operator('PUT /admin/accounts/demo', { body: { ...document, mode: 'live' } })
  assert.equal(live.status, 200, live.text)
}

async function codesSent({ fixture }: Api, phone: string): Promise<number> {
  const { rows } = await fixture.deps.db.query(
    `select count(*)::int as n from messages where recipient = $1 and template = 'driver_code'`,
    [phone],
  )
  return rows[0].n
}
