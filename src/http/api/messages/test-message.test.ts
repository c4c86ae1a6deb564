import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailServer } from '../../../../test/mail-server.ts'
import { ADMIN, apiWithPeople, CLERK, OPERATOR_USER, person } from '../../../../test/people.ts'
import { smsGateway } from '../../../../test/sms-gateway.ts'
import { until } from '../../../../test/wait-until.ts'

const LINE = 'POST /admin/accounts/demo/test-message'
const body = { name: 'delivered', phone: '0491 570 156', text: '{{brand}}: {{order}} is here. {{link}}' }

test('an admin sends a text to their own phone and email, before it is applied', async (t) => {
  const [sms, mail] = [await smsGateway(t), await mailServer(t)]
  const api = await apiWithPeople(t, { smsUrl: sms.url, smtpUrl: mail.url })
  const admin = await person(api, ADMIN)
  const { status, json } = await admin.call(LINE, { body })
  assert.equal(status, 202, JSON.stringify(json))
  const text = 'Wattle & Co: WC-10471 is here. http://drover.test/track/example'
  assert.deepEqual([json.data.subject, json.data.text], [null, text])
  await until(async () => sms.received.length === 1)
  assert.deepEqual([sms.received[0]?.to, sms.received[0]?.text], ['+61491570156', text])

  const { phone: _, ...rest } = body
  const letter = {
    ...rest,
    email: 'ada@wattle.example',
    subject: '{{order}}!',
    text: 'Hello\n\n{{first_name}}',
  }
  assert.equal((await admin.call(LINE, { body: letter })).status, 202)
  await until(async () => mail.mails.length === 1)
  assert.equal(mail.mails[0]?.header('subject'), 'WC-10471!')
  assert.match(mail.mails[0]?.body ?? '', /^Hello\r\n\r\nAda\r\n/)

  const operator = await person(api, OPERATOR_USER)
  const log = (await operator.call('GET /demo/audit-log')).json.data
  const rows = log.filter(({ action }: { action: string }) => action === 'sendTestMessage')
  assert.deepEqual(rows[0]?.after, { channel: 'email', name: 'delivered' })
  assert.doesNotMatch(JSON.stringify(rows), /49157|ada@wattle/)
})

test('a test that is repeated with its Idempotency-Key is sent once', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  for (const call of [api.operator, admin.call]) {
    const headers = { 'idempotency-key': `test-${call === admin.call ? 'admin' : 'operator'}` }
    const first = await call(LINE, { body, headers })
    assert.equal(first.status, 202, first.text)
    const again = await call(LINE, { body, headers })
    assert.deepEqual([again.status, again.text], [202, first.text])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const other = await call(LINE, { body: { ...body, text: 'Hello' }, headers })
    assert.deepEqual([other.status, other.json.code], [422, 'idempotency_key_reused'])
  }
  const { rows } = await api.fixture.deps.db.query(`select count(*)::int as n from messages`)
  assert.equal(rows[0].n, 2)
  const headers = { 'idempotency-key': 'none' }
  const unknown = await api.operator('POST /admin/accounts/absent/test-message', { body, headers })
  assert.equal(unknown.status, 404)
})

test('a test is refused for mistakes in its text, for people who are not admins, and over the limit', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const clerk = await person(api, CLERK)
  const errorsOf = async (over: object) => {
    const { status, json } = await admin.call(LINE, { body: { ...body, ...over } })
    assert.equal(status, 422, JSON.stringify(json))
    return json.errors.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`)
  }
  assert.deepEqual(await errorsOf({ text: '{{ordr}} {x}' }), [
    'text: {{ordr}} is not a placeholder of this text. Did you mean "order"?',
    'text: It has a brace that is not part of a placeholder. Write placeholders as {{order}}.',
  ])
  assert.deepEqual(await errorsOf({ phone: '03 9000 0000' }), [
    'phone: We can’t send an SMS to this number. Use a mobile number.',
  ])
  assert.deepEqual(await errorsOf({ phone: '12' }), ['phone: This is not a phone number. Check it.'])
  assert.deepEqual(await errorsOf({ email: 'ada@wattle.example' }), [
    'phone: Give either a phone number or an email address.',
  ])
  assert.equal((await clerk.call(LINE, { body })).status, 403)
  for (let sent = 0; sent < 10; sent++) assert.equal((await admin.call(LINE, { body })).status, 202)
  const tooMany = await admin.call(LINE, { body })
  assert.deepEqual([tooMany.status, tooMany.json.code], [429, 'rate_limited'])
})
