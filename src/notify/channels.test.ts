import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailServer } from '../../test/mail-server.ts'
import { smsGateway as gateway } from '../../test/sms-gateway.ts'
import { smtpChannel } from './email/smtp.ts'
import type { Outgoing } from './notifier.ts'
import { smsGateway } from './sms/gateway.ts'

const message: Outgoing = {
  id: 'msg_01_sms',
  to: '+61491570156',
  from: 'Wattle & Co',
  subject: null,
  body: 'Guten Tag ✓',
}
const mail: Outgoing = { ...message, id: 'msg_01_email', to: 'ada@example.com', subject: 'Grüße' }

test('a gateway’s response decides whether the message is retried', async (t) => {
  const phone = await gateway(t)
  const channel = smsGateway(phone.url)
  const cases = [
    [202, 'yes'],
    [200, 'yes'],
    [302, 'no'],
    [400, 'no'],
    [422, 'no'],
    [401, 'again'],
    [409, 'again'],
    [429, 'again'],
    [500, 'unknown'],
    [503, 'unknown'],
    ['take-and-hang-up', 'unknown'],
    ['take', 'yes'],
  ] as const
  for (const [fate, expected] of cases) {
    phone.fate = fate
    const outcome = await channel.send(message)
    const result = outcome.kind === 'no' && outcome.again ? 'again' : outcome.kind
    assert.equal(result, expected, String(fate))
    if (outcome.kind !== 'yes') assert.doesNotMatch(outcome.message, /61491/)
  }
  assert.deepEqual(phone.asked[0]?.sms, { to: message.to, text: message.body, id: message.id })

  const away = await gateway(t)
  await away.stop()
  assert.deepEqual(await smsGateway(away.url).send(message), {
    kind: 'no',
    again: true,
    message: 'The SMS gateway cannot be reached (ECONNREFUSED).',
  })
})

test('a mail server’s rejection is final before and after the message; silence after it is an unknown outcome', async (t) => {
  const server = await mailServer(t)
  const channel = smtpChannel({ url: server.url, host: 'drover.test' })
  const cases = [
    ['take', 'yes'],
    ['later', 'again'],
    ['refuse', 'no'],
    ['lose', 'unknown'],
    ['keep-and-hang-up', 'unknown'],
  ] as const
  for (const [fate, expected] of cases) {
    server.fate = fate
    const outcome = await channel.send(mail)
    const result = outcome.kind === 'no' && outcome.again ? 'again' : outcome.kind
    assert.equal(result, expected, fate)
  }
  const [first] = server.mails
  assert.match(first?.body ?? '', /Guten Tag ✓/)
  assert.equal(first?.header('message-id'), '<msg_01_email@wattle.example>')
  assert.equal(first?.header('auto-submitted'), 'auto-generated')
})

test('an invalid address is rejected for good, and adds no recipient or header', async (t) => {
  const server = await mailServer(t)
  const channel = smtpChannel({ url: server.url, host: 'drover.test' })
  for (const to of ['a@b.example>\r\nRCPT TO:<c@d.example', 'a<b@c.example']) {
    assert.deepEqual(await channel.send({ ...mail, to }), {
      kind: 'no',
      again: false,
      message: 'The message could not be written as an email.',
    })
  }
  await channel.send({ ...mail, subject: 'Hello\r\nBcc: c@d.example', from: 'Wattle\r\nBcc: c@d.example' })
  assert.equal(server.mails.length, 1)
  assert.deepEqual(server.mails[0]?.to, ['ada@example.com'])
  assert.equal(server.mails[0]?.header('bcc'), '')
})

test('without `from` in the URL the sender is at our own host', async (t) => {
  const server = await mailServer(t)
  const bare = server.url.slice(0, server.url.indexOf('?'))
  await smtpChannel({ url: bare, host: 'drover.test' }).send(mail)
  assert.equal(server.mails[0]?.from, 'no-reply@drover.test')
})
