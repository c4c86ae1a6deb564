import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, testApi } from '../../../../test/api.ts'
import { codeFor, driverApi, MIA, ownDelivery, SAM } from '../../../../test/driver.ts'
import { ADMIN, apiWithPeople, CLERK, person } from '../../../../test/people.ts'
import { hashOfToken, newSessionToken } from '../../../operations/tokens/driver-token.ts'

const login = ({ call }: Api, token: string | null = null) =>
  call('POST /driver/login', { body: { phone: SAM }, token })
const verify = ({ call }: Api, code: string, token: string | null = null) =>
  call('POST /driver/verify', { body: { phone: SAM, code }, token })

/** Another account puts Sam on its own list without knowing them. */
async function acmeClaimsSam(api: Api): Promise<{ accountId: string; call: { token: string } }> {
  const token = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const [store] = (await api.call('GET /acme-byoc/stores', { token })).json.data
  const body = { store_reference: store.reference, phone: SAM, driver_name: 'Sam' }
  assert.equal((await api.call('POST /acme-byoc/staff-couriers', { body, token })).status, 201)
  return { accountId: 'acme-byoc', call: { token } }
}

test('an account that adds another’s courier sees its own code, which does not open the other account', async (t) => {
  const api = await testApi(t)
  const { id } = await ownDelivery(api)
  const acme = await acmeClaimsSam(api)
  await login(api)
  const code = await codeFor(api, SAM, acme)
  const session = await verify(api, code)
  assert.equal(session.status, 200)
  assert.match(session.json.data.token, /^acme-byoc\./)
  const { token } = session.json.data
  assert.deepEqual((await api.call('GET /driver/jobs', { token })).json.data, [])
  for (const line of [`GET /driver/jobs/${id}`, `POST /driver/jobs/${id}/accept`]) {
    assert.equal((await api.call(line, { token })).status, 404, line)
  }
  assert.notEqual(await codeFor(api, SAM), code, 'the other account has a code of its own')
})

test('a courier of two accounts enters both codes in either order, and is logged in to both', async (t) => {
  const api = await testApi(t)
  const { id } = await ownDelivery(api)
  const acme = await acmeClaimsSam(api)
  await login(api)
  const [acmes, demos] = [await codeFor(api, SAM, acme), await codeFor(api, SAM)]
  const first = (await verify(api, acmes)).json.data.token
  const both = await verify(api, demos, first)
  assert.equal(both.status, 200, both.text)
  const { token } = both.json.data
  assert.match(token, /^demo~acme-byoc\./)
  const jobs = async (one: string) => (await api.call('GET /driver/jobs', { token: one })).json.data
  assert.deepEqual(
    (await jobs(token)).map((job: { id: string }) => job.id),
    [id],
  )
  assert.equal(
    (await api.call('GET /driver/jobs', { token: first })).status,
    401,
    'the older session has ended',
  )

  const { rows } = await api.fixture.deps.db.query(
    'select account_id, own_code from driver_sessions order by account_id',
  )
  assert.deepEqual(rows, [
    { account_id: 'acme-byoc', own_code: true },
    { account_id: 'demo', own_code: true },
  ])
  const lives = await api.fixture.deps.db.query('select distinct expires_at from driver_sessions')
  assert.equal(lives.rows.length, 2, 'the existing session does not live longer')
})

test('the right code of one account uses no attempt of another’s; a wrong code uses one of each', async (t) => {
  const api = await testApi(t)
  const { db } = api.fixture.deps
  const acme = await acmeClaimsSam(api)
  await login(api)
  const [acmes, demos] = [await codeFor(api, SAM, acme), await codeFor(api, SAM)]
  const attempts = async () => {
    const { rows } = await db.query('select attempts from driver_codes order by account_id')
    return rows.map((row) => row.attempts)
  }
  assert.equal((await verify(api, '000000x')).status, 401)
  assert.deepEqual(await attempts(), [1, 1])
  await db.query('update driver_codes set attempts = 4')
  const first = await verify(api, acmes)
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(await attempts(), [5, 4])
  assert.equal((await verify(api, demos, first.json.data.token)).status, 200)
})

test('a session requests codes only from the accounts that it does not open yet', async (t) => {
  const api = await testApi(t)
  const { db } = api.fixture.deps
  await acmeClaimsSam(api)
  const sam = await driverApi(api, SAM)
  await db.query('delete from messages')
  await login(api, sam.token)
  const { rows } = await db.query(`select account_id, body from messages where template = 'driver_code'`)
  assert.deepEqual(
    rows.map(({ account_id }) => account_id),
    ['acme-byoc'],
  )
  assert.match(rows[0].body, /^\{code\} is your Drover code for .+\. 5 minutes\.$/)
  const mia = await driverApi(api, MIA)
  await db.query('delete from messages')
  await login(api, mia.token)
  assert.equal(
    (await db.query('select from messages')).rows.length,
    2,
    'the session of another phone does not count',
  )
})

test('an older version’s session for several accounts is invalid; one for a single account stays valid', async (t) => {
  const api = await testApi(t)
  const { db } = api.fixture.deps
  await acmeClaimsSam(api)
  const opened = async (accountIds: string[]) => {
    const token = newSessionToken(accountIds)
    await db.query(
      `insert into driver_sessions (account_id, token_hash, phone, expires_at)
       select unnest($1::text[]), $2, $3, now() + interval '1 day'`,
      [accountIds, hashOfToken(token), SAM],
    )
    return (await api.call('GET /driver/jobs', { token })).status
  }
  assert.equal(await opened(['acme-byoc', 'demo']), 401)
  assert.equal(await opened(['demo']), 200)
})

test('reading codes needs the scope for codes', async (t) => {
  const api = await apiWithPeople(t)
  await login(api)
  const code = await codeFor(api, SAM)
  const textsFor = async (ask: (line: string) => Promise<{ json: { data: Message[] } }>) =>
    (await ask('GET /demo/messages?kind=sms')).json.data.flatMap((one) =>
      one.template === 'driver_code' ? (one.text ?? '') : [],
    )
  const asClient = async (scope?: string) => {
    const token = await api.tokenOf('demo-client', 'demo-secret', scope)
    return textsFor((line) => api.call(line, { token }))
  }
  const asPerson = async (who: typeof ADMIN) => {
    const one = await person(api, who)
    return textsFor((line) => one.call(line))
  }
  const shown = (first: string) => [`${first} is your Drover code for Wattle Co demo. 5 minutes.`]
  const plain = (texts: string[]) => texts.map((text) => text.replace('Wattle & Co', 'Wattle Co'))
  assert.deepEqual(plain(await asClient()), shown(code))
  assert.deepEqual(plain(await asClient('deliveries:read driver_codes:read')), shown(code))
  assert.deepEqual(plain(await asClient('deliveries:read')), shown('******'))
  assert.deepEqual(plain(await asPerson(ADMIN)), shown(code))
  assert.deepEqual(plain(await asPerson(CLERK)), shown('******'))
})

type Message = { template: string; text?: string }
