import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { startAuspost } from '../../../../fakes/auspost/start-auspost.ts'
import { apiOf, usedBy } from '../../../../test/api.ts'
import { AUSPOST } from '../../../../test/fake-auspost.ts'
import { ADMIN, apiWithPeople, CLERK, OPERATOR_USER, person } from '../../../../test/people.ts'

const ONE = '/admin/accounts/demo'
const CATALOGUE = `GET ${ONE}/carrier-catalogue`
const CHECK = `POST ${ONE}/carriers/auspost/check`

test('an admin sees the carriers that the account can add, and what each needs', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const clerk = await person(api, CLERK)
  const { status, json } = await admin.call(CATALOGUE)
  assert.equal(status, 200)
  const post = json.data.find(({ id }: { id: string }) => id === 'auspost')
  assert.deepEqual([post.name, post.live_prices, post.practice], ['Australia Post', true, false])
  assert.deepEqual(post.credentials, [
    { name: 'api_key', label: 'API key', secret: true, required: true },
    { name: 'password', label: 'API password', secret: true, required: true },
  ])
  assert.deepEqual(post.settings, [
    { name: 'account_number', label: 'Account number', hint: 'Ten digits.', required: true },
  ])
  assert.deepEqual(
    post.services.map(({ service }: { service: string }) => service),
    ['Parcel Post', 'Express Post'],
  )
  assert.equal((await clerk.call(CATALOGUE)).status, 403)
})

test('a carrier is checked before it is applied; its credentials appear nowhere', async (t) => {
  const { fixture } = await apiWithPeople(t, { work: false })
  const lines: string[] = []
  const app = apiOf(fixture, pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }))
  t.after(() => app.close())
  const api = await usedBy(app, fixture)
  const fake = await startAuspost()
  t.after(() => fake.close())
  const [admin, operator] = [await person(api, ADMIN), await person(api, OPERATOR_USER)]
  const answers: string[] = []
  const call = async (line: string, body?: object, by = admin) => {
    const reply = await by.call(line, body === undefined ? {} : { body })
    answers.push(reply.text)
    return reply
  }
  const carrier = {
    provider: 'auspost',
    name: 'Australia Post',
    base_url: fake.url,
    settings: { account_number: AUSPOST },
    credentials: { api_key: { secret: 'auspost-api-key' }, password: { secret: 'auspost-password' } },
  }
  const check = async (changes: object = {}) =>
    (await call(CHECK, { carrier: { ...carrier, ...changes } })).json.data

  const missing = await check()
  assert.equal(missing.ok, false)
  assert.match(missing.message, /auspost-api-key is not stored/)

  await call(`PUT ${ONE}/secrets/auspost-api-key`, { secret: 'fake-key' })
  await call(`PUT ${ONE}/secrets/auspost-password`, { secret: 'CANARY-WRONG' })
  const wrong = await check()
  assert.deepEqual([wrong.ok, wrong.name], [false, 'Australia Post'])
  await call(`PUT ${ONE}/secrets/auspost-password`, { secret: 'fake-password' })
  const good = await check()
  assert.ok(good.ok, good.message)
  assert.match(good.message, /^Logged in to Australia Post \(sandbox\): account 0000123456/)
  const settings = await check({ settings: { account_number: '12' } })
  assert.match(settings.message, /ten digits/)

  const badForm = await call(CHECK, { carrier: { ...carrier, credentials: { password: 'CANARY-IN-PLACE' } } })
  assert.equal(badForm.status, 422)
  const document = (await call(`GET ${ONE}`)).json
  assert.ok(!document.carriers.some(({ provider }: { provider: string }) => provider === 'auspost'))
  assert.equal((await call(CHECK)).status, 404)

  await operator.call(`PUT ${ONE}`, { body: { ...document, owner_grants: [] } })
  const refused = await call(CHECK, { carrier })
  assert.deepEqual([refused.status, refused.json.code], [403, 'not_granted'])
  await call('GET /demo/audit-log')
  await call(`GET ${ONE}/secrets`)
  for (const text of [...answers, ...lines])
    for (const secret of ['CANARY', 'fake-key', 'fake-password']) assert.ok(!text.includes(secret), text)
})
