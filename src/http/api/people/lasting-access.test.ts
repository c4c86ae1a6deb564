import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Api } from '../../../../test/api.ts'
import { ADMIN, apiWithPeople, CLERK, OPERATOR_USER, person } from '../../../../test/people.ts'
import { recorder } from '../../../operations/audit/audit.ts'
import { addUser } from '../../../operations/people/users.ts'

const CLIENTS = '/admin/accounts/demo/clients'
const SECOND = { email: 'second@wattle.example', password: 'nine lamps by the river' }
const act = { kind: 'command', actor: 'test', action: 'test', ip: null, requestId: null } as const
const client = { name: 'Web shop', scopes: ['account', 'quotes'] }
const { password } = ADMIN

async function addAdmin({ fixture: { deps } }: Api): Promise<string> {
  const newUser = { ...SECOND, name: 'Sam Second', role: 'merchant_admin', storeReferences: null } as const
  return (await addUser(deps, 'demo', newUser, recorder(deps, act))).userId
}

test('a session without the password creates no API client and no admin', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const second = await addAdmin(api)
  const clerk = (await admin.call('GET /demo/users')).json.data.find(
    ({ email }: { email: string }) => email === CLERK.email,
  ).id
  const invited = await admin.call('POST /demo/users', {
    body: { email: 'n@s.example', role: 'merchant_admin', password },
  })
  assert.equal(invited.status, 201, invited.text)
  const otherClient = (await api.operator(`POST ${CLIENTS}`, { body: client })).json.data.client_id
  await admin.call(`PATCH /demo/users/${second}`, { body: { disabled: true } })
  const gives: [line: string, body: object, right: number][] = [
    [`POST ${CLIENTS}`, client, 201],
    [`POST ${CLIENTS}/${otherClient}/take-over`, {}, 204],
    ['POST /demo/users', { email: 'm@s.example', role: 'merchant_admin' }, 201],
    [`POST /demo/users/${invited.json.data.id}/invite`, {}, 200],
    [`PATCH /demo/users/${second}`, { disabled: false }, 200],
    [`PATCH /demo/users/${clerk}`, { role: 'merchant_admin' }, 200],
    [`POST /demo/users/${second}/reset-second-factor`, {}, 200],
    [`POST /demo/users/${second}/unlink-openid`, {}, 200],
  ]
  for (const [line, body, right] of gives) {
    const without = await admin.call(line, { body })
    assert.deepEqual([without.status, without.json.errors[0].field], [422, 'password'], line)
    const wrong = await admin.call(line, { body: { ...body, password: 'not this one' } })
    assert.deepEqual([wrong.status, wrong.json.code], [401, 'invalid_credentials'], line)
    assert.equal((await admin.call(line, { body: { ...body, password } })).status, right, line)
  }
  const daily = { email: 'c@s.example', role: 'store_clerk', store_references: ['fitzroy'] }
  assert.equal(
    (await admin.call('POST /demo/users', { body: daily })).status,
    201,
    'a clerk needs no second factor',
  )

  const { rows } = await api.fixture.deps.db.query('select json_agg(a)::text as dump from audit_log as a')
  assert.ok(!rows[0].dump.includes(password))
})

test('five wrong passwords stop the guesses, and a retry with a newer code is the same request', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const setup = await admin.call('POST /session/second-factor', { body: { password } })
  const { secret } = setup.json.data
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
  await admin.call('POST /session/second-factor/confirm', { body: { code: code(-1) } })

  const make = (more: object, key = 'same') =>
    admin.call(`POST ${CLIENTS}`, { body: { ...client, ...more }, headers: { 'idempotency-key': key } })
  assert.equal((await make({ password })).json.code, 'second_factor_required')
  assert.equal((await make({ password, code: '000000' })).json.code, 'invalid_second_factor')
  const created = await make({ password, code: code(0) })
  assert.equal(created.status, 201, created.text)
  const again = await make({ password, code: code(1) })
  assert.deepEqual(again.json, created.json)
  assert.equal((await make({ password, name: 'Other', code: code(1) })).json.code, 'idempotency_key_reused')

  const tries = []
  for (let n = 0; n < 6; n++) tries.push((await make({ password: 'wrong', code: '1' }, `n${n}`)).status)
  assert.deepEqual(tries, [401, 401, 401, 401, 401, 429])
})

test('an admin’s client cannot change users’ access, and an operator’s client may', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const operator = await person(api, OPERATOR_USER)
  const second = await addAdmin(api)
  const tokenOf = async (reply: { json: { data: { client_id: string; client_secret: string } } }) =>
    api.tokenOf(reply.json.data.client_id, reply.json.data.client_secret)
  const own = await tokenOf(await admin.call(`POST ${CLIENTS}`, { body: { ...client, password } }))
  const one = `/demo/users/${second}`
  const changes: [line: string, body: object][] = [
    ['POST /demo/users', { email: 'm@s.example', role: 'merchant_admin' }],
    [`PATCH ${one}`, { role: 'store_clerk', store_references: ['fitzroy'] }],
    [`POST ${one}/invite`, {}],
    [`POST ${one}/reset-password`, {}],
    [`POST ${one}/reset-second-factor`, {}],
    [`POST ${one}/unlink-openid`, {}],
  ]
  for (const [line, body] of changes) {
    const { status, json } = await api.call(line, { body, token: own })
    assert.deepEqual([status, json.code], [403, 'person_required'], line)
  }
  assert.equal((await api.call('GET /demo/users', { token: own })).status, 200, 'it may list them')

  const byToken = await tokenOf(await api.operator(`POST ${CLIENTS}`, { body: client }))
  const byPerson = await tokenOf(
    await operator.call(`POST ${CLIENTS}`, { body: { ...client, password: OPERATOR_USER.password } }),
  )
  for (const token of [byToken, byPerson]) {
    assert.equal((await api.call(`PATCH ${one}`, { body: { name: 'Sam' }, token })).status, 200)
  }
})

test('a client is revoked when its owner loses access, unless another user is its owner by then', async (t) => {
  for (const end of [{ disabled: true }, { role: 'store_clerk', store_references: ['fitzroy'] }]) {
    await t.test(JSON.stringify(end), async (t) => {
      const api = await apiWithPeople(t, { work: false })
      const admin = await person(api, ADMIN)
      const id = await addAdmin(api)
      const sam = await person(api, SECOND)
      const createClient = async (name: string) => {
        const body = { ...client, name, password: SECOND.password }
        const { client_id, client_secret } = (await sam.call(`POST ${CLIENTS}`, { body })).json.data
        return { id: client_id, token: await api.tokenOf(client_id, client_secret) }
      }
      const [ends, kept] = [await createClient('Ends'), await createClient('Stays')]
      const owners = async () =>
        Object.fromEntries(
          (await admin.call(`GET ${CLIENTS}`)).json.data.map(
            (one: { name: string; owner: { name: string } | null }) => [one.name, one.owner?.name ?? null],
          ),
        )
      assert.deepEqual(await owners(), { 'Demo client': null, Ends: 'Sam Second', Stays: 'Sam Second' })
      const takenOver = await admin.call(`POST ${CLIENTS}/${kept.id}/take-over`, { body: { password } })
      assert.equal(takenOver.status, 204, takenOver.text)
      assert.equal((await owners()).Stays, 'Ada Admin')
      assert.equal(
        (await admin.call(`POST ${CLIENTS}/client_0/take-over`, { body: { password } })).status,
        404,
      )

      assert.equal((await admin.call(`PATCH /demo/users/${id}`, { body: end })).status, 200)
      assert.equal((await api.call('GET /demo/stores', { token: ends.token })).status, 401)
      assert.equal((await api.call('GET /demo/users', { token: kept.token })).status, 200)
      assert.deepEqual(Object.keys(await owners()).sort(), ['Demo client', 'Stays'])
      const { rows } = await api.fixture.deps.db.query(
        `select after -> 'ended_clients' as ended from audit_log where action = 'changeUser' and object = $1`,
        [id],
      )
      assert.deepEqual(rows, [{ ended: [ends.id] }])
    })
  }
})
