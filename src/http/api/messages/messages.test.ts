import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, testApi } from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { mailServer } from '../../../../test/mail-server.ts'
import { smsGateway } from '../../../../test/sms-gateway.ts'
import { until } from '../../../../test/wait-until.ts'
import type { Deps } from '../../../operations/deps.ts'
import { claimMessages, sendMessages } from '../../../operations/messages/send-messages.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('customers are notified once by SMS and once by email of booking, collection and delivery', async (t) => {
  const mail = await mailServer(t)
  const sms = await smsGateway(t)
  const api = await testApi(t, { smtpUrl: mail.url, smsUrl: sms.url })
  const created = await create(api, {
    delivery_type: 'fast',
    ready_for_pickup_at: '2026-11-24T10:00:00+11:00',
  })
  const waitUntilSent = (count: number) =>
    untilMessages(api, `delivery_id=${created.id}`, (all) => all.length === count && all.every(isSent))
  await waitUntilSent(2)
  // Two hours of carrier updates arrive at once; the messages follow in the order of the events.
  await api.fixture.setClock(TUESDAY_TEN_MS + 2 * HOUR_MS)
  await waitUntilSent(6)

  const texts = sms.received.map(({ text }) => text)
  assert.equal(texts.length, 3)
  assert.match(
    texts[0] ?? '',
    /^Wattle & Co: \S+ arrives today, \d+(:\d\d)?(?: am)? - (noon|\d+(:\d\d)? [ap]m)\. Track it: http:\/\/drover\.test\/track\/[\w-]{48}$/,
  )
  assert.match(texts[1] ?? '', /is on its way and arrives today, /)
  assert.match(texts[2] ?? '', / has been delivered\. http:\/\/drover\.test\/track\/[\w-]{48}$/)
  assert.deepEqual([...new Set(sms.received.map(({ to }) => to))], ['+61491570156'])
  assert.equal(mail.mails.length, 3)
  const [booked] = mail.mails
  assert.deepEqual(booked?.to, ['ada@example.com'])
  assert.equal(booked?.from, 'orders@wattle.example')
  assert.match(booked?.header('from') ?? '', /Wattle & Co.*<orders@wattle\.example>/)
  assert.match(booked?.header('subject') ?? '', /^Wattle & Co: \S+ arrives today, /)
  assert.match(
    booked?.body ?? '',
    /^Hello Ada,\r\n\r\nYour order \S+ arrives today, .*\r\n\r\nTrack it: http:\/\/drover\.test\/track\//,
  )
  const { json } = await api.call(`GET /demo/messages?delivery_id=${created.id}&kind=email`)
  assert.equal(booked?.header('message-id'), `<${json.data[2].id}@wattle.example>`)
})

test('without channels the outbox keeps the messages that were not sent, and says why', async (t) => {
  const api = await testApi(t)
  const created = await create(api, { book_delivery_now: true })
  const stored = await untilMessages(api, `delivery_id=${created.id}`, (all) =>
    all.every(({ status }) => status === 'no_channel'),
  )
  assert.deepEqual(stored.map(({ kind, template, to, reason }) => [kind, template, to, reason]).sort(), [
    ['email', 'booked', 'ada@example.com', 'Not sent: no mail server is set (SMTP_URL).'],
    ['sms', 'booked', '+61491570156', 'Not sent: no SMS gateway is set (SMS_URL).'],
  ])
  assert.match(
    stored[0]?.text ?? '',
    / arrives tomorrow, 2 - 8 pm\. Track it: http:\/\/drover\.test\/track\/[\w-]{48}$/,
  )
})

test('suppress_notifications is respected and visible', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url })
  const created = await create(api, { book_delivery_now: true, suppress_notifications: true })
  const other = await create(api, { book_delivery_now: true })
  await untilMessages(
    api,
    `delivery_id=${other.id}`,
    (all) => all.length === 2 && all.every(({ status }) => status !== 'queued'),
  )
  const { json } = await api.call(`GET /demo/messages?delivery_id=${created.id}`)
  assert.equal(json.data.length, 2)
  for (const { status, reason, text } of json.data) {
    assert.equal(status, 'suppressed')
    assert.match(reason, /suppress_notifications/)
    assert.equal(text, undefined)
  }
  assert.equal(sms.received.length, 1)
})

test('a gateway that does not answer gets the same id again, and the phone gets one SMS', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url })
  sms.fate = 'take-and-hang-up'
  const created = await create(api, { book_delivery_now: true })
  await untilMessages(
    api,
    `delivery_id=${created.id}&kind=sms`,
    ([one]) => (one?.attempts ?? 0) >= 1 && one?.reason !== undefined,
  )
  sms.fate = 503
  await api.fixture.setClock(TUESDAY_TEN_MS + MINUTE_MS)
  await untilMessages(api, `delivery_id=${created.id}&kind=sms`, ([one]) => /503/.test(one?.reason ?? ''))
  sms.fate = 'take'
  await api.fixture.setClock(TUESDAY_TEN_MS + 2 * MINUTE_MS)
  const [sent] = await untilMessages(api, `delivery_id=${created.id}&kind=sms`, (all) => all.every(isSent))
  assert.ok(sent && sent.attempts >= 3)
  assert.equal(sms.asked.length, sent.attempts)
  assert.equal(sms.received.length, 1)
  assert.deepEqual([...new Set(sms.asked.map(({ key }) => key))], [sent?.id])
  assert.deepEqual([...new Set(sms.asked.map(({ sms }) => sms.id))], [sent?.id])
  assert.equal(sms.asked[0]?.authorization, `Basic ${Buffer.from('shop:s@cret').toString('base64')}`)
})

test('a mail server that drops the connection after the message gets it once; one that defers gets it again', async (t) => {
  const mail = await mailServer(t)
  const api = await testApi(t, { smtpUrl: mail.url })
  mail.fate = 'keep-and-hang-up'
  const doubtful = await create(api, { book_delivery_now: true })
  const [lost] = await untilMessages(
    api,
    `delivery_id=${doubtful.id}&kind=email`,
    ([one]) => one?.status !== 'queued',
  )
  assert.equal(lost?.status, 'failed')
  assert.match(lost?.reason ?? '', /may have been sent, so Drover does not send it again/)

  mail.fate = 'later'
  const created = await create(api, { book_delivery_now: true })
  await untilMessages(
    api,
    `delivery_id=${created.id}&kind=email`,
    ([one]) => one?.reason === 'The mail server answered 451.',
  )
  mail.fate = 'take'
  await api.fixture.setClock(TUESDAY_TEN_MS + MINUTE_MS)
  await untilMessages(api, `delivery_id=${created.id}&kind=email`, (all) => all.every(isSent))

  mail.fate = 'refuse'
  const refused = await create(api, { book_delivery_now: true })
  const [failed] = await untilMessages(
    api,
    `delivery_id=${refused.id}&kind=email`,
    ([one]) => one?.status !== 'queued',
  )
  assert.deepEqual([failed?.status, failed?.reason], ['failed', 'The mail server answered 554.'])
  assert.equal(mail.mails.length, 2)
})

test('an unreachable server is retried until the message would be too late', async (t) => {
  const mail = await mailServer(t)
  await mail.stop()
  const api = await testApi(t, { smtpUrl: mail.url })
  const created = await create(api, { book_delivery_now: true })
  const query = `delivery_id=${created.id}&kind=email`
  const [waiting] = await untilMessages(
    api,
    query,
    ([one]) => one?.reason === 'The mail server cannot be reached (ESOCKET).',
  )
  assert.equal(waiting?.status, 'queued')
  assert.ok(Date.parse(waiting?.next_attempt_at ?? '') > TUESDAY_TEN_MS)
  await api.fixture.setClock(TUESDAY_TEN_MS + 7 * HOUR_MS)
  const [late] = await untilMessages(api, query, ([one]) => one?.status !== 'queued')
  assert.equal(late?.status, 'expired')
  assert.match(late?.reason ?? '', /while it was still of use/)
})

test('a worker that crashes between sending and recording causes no second message', async (t) => {
  const mail = await mailServer(t)
  const sms = await smsGateway(t)
  const api = await testApi(t, { smtpUrl: mail.url, smsUrl: sms.url, work: false })
  const { deps } = api.fixture
  await create(api, { book_delivery_now: true })
  const claimed = await claimBoth(deps)
  assert.equal(claimed.length, 2)
  // Like a process that dies before its last write.
  await sendMessages({ ...deps, db: deafTo(deps.db, 'settle-messages') }, claimed)
  assert.deepEqual([mail.mails.length, sms.received.length], [1, 1])
  assert.deepEqual(await claimBoth(deps), [], 'its lease still holds')

  await deps.db.query(`update messages set lease_until = now() - interval '1 second'`)
  await sendMessages(deps, await claimBoth(deps))
  assert.deepEqual([mail.mails.length, sms.received.length, sms.asked.length], [1, 1, 2])
  const { json } = await api.call('GET /demo/messages')
  const statuses = json.data.map(({ kind, status }: Message) => [kind, status]).sort()
  assert.deepEqual(statuses, [
    ['email', 'failed'],
    ['sms', 'sent'],
  ])
})

test('a worker that lost its lease changes nothing', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url, work: false })
  const { deps } = api.fixture
  await create(api, { book_delivery_now: true })
  const stale = await claimBoth(deps)
  await deps.db.query(`update messages set lease_until = now() - interval '1 second'`)
  const fresh = await claimBoth(deps)
  await sendMessages(deps, stale)
  assert.equal(sms.asked.length, 0)
  await sendMessages(deps, fresh)
  assert.equal(sms.received.length, 1)
})

test('a message that crashes its worker repeatedly is dead-lettered, and delays no other', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url, work: false })
  const { deps } = api.fixture
  const poison = await create(api, { book_delivery_now: true })
  await deps.db.query('update messages set claims = 8')
  const other = await create(api, { book_delivery_now: true })
  await sendMessages(deps, await claimBoth(deps))
  const statusOf = async (id: string) =>
    (await api.call(`GET /demo/messages?delivery_id=${id}&kind=sms`)).json.data[0].status
  assert.deepEqual([await statusOf(poison.id), await statusOf(other.id)], ['failed', 'sent'])
})

test('a message that is out of date before it is sent is not sent', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url, work: false })
  const created = await create(api, { book_delivery_now: true })
  assert.equal((await api.call(`PATCH /demo/deliveries/${created.id}/request-cancel`)).status, 200)
  await sendMessages(api.fixture.deps, await claimBoth(api.fixture.deps))
  const { json } = await api.call(`GET /demo/messages?delivery_id=${created.id}&kind=sms`)
  assert.equal(json.data[0].status, 'expired')
  assert.match(json.data[0].reason, /cancelled/)
  assert.equal(sms.asked.length, 0)
})

test('a message exists exactly when its event does', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api, { book_delivery_now: true })
  const { deps } = api.fixture
  const { rows } = await deps.db.query(
    `select e.event_id, array_agg(m.kind order by m.kind) as kinds from events e
     join messages m on m.account_id = e.account_id and m.message_id in ('msg_' || substr(e.event_id, 5) || '_sms', 'msg_' || substr(e.event_id, 5) || '_email')
     where e.stream = $1 and e.to_status = 'booked' group by 1`,
    [created.id],
  )
  assert.deepEqual(
    rows.map(({ kinds }) => kinds),
    [['email', 'sms']],
  )
})

test('text from a customer or clerk never becomes a line or a link of its own', async (t) => {
  const mail = await mailServer(t)
  const sms = await smsGateway(t)
  const api = await testApi(t, { smtpUrl: mail.url, smsUrl: sms.url })
  await create(api, {
    book_delivery_now: true,
    reference: 'see https://evil.example/x',
    customer: {
      first_name: 'Ada www.evil.example',
      last_name: 'N',
      phone: '0491570156',
      email: 'ada@example.com',
    },
  })
  await untilMessages(api, '', (all) => all.length === 2 && all.every(isSent))
  for (const text of [
    sms.received[0]?.text ?? '',
    mail.mails[0]?.body ?? '',
    mail.mails[0]?.header('subject') ?? '',
  ]) {
    const ours = text.replace(/http:\/\/drover\.test\/track\/[\w-]{48}/, '')
    assert.doesNotMatch(ours, /https?:|www\.|evil\.example/)
  }
})

test('the outbox is paged and filtered, and shows a client only its own stores', async (t) => {
  const api = await testApi(t)
  for (let i = 0; i < 3; i++) await create(api, { book_delivery_now: true })
  await untilMessages(
    api,
    '',
    (all) => all.length === 6 && all.every(({ status }) => status === 'no_channel'),
  )
  const seen: string[] = []
  let after = ''
  do {
    const { json } = await api.call(`GET /demo/messages?limit=4${after && `&after=${after}`}`)
    seen.push(...json.data.map(({ id }: Message) => id))
    after = json.pagination.next
  } while (after)
  assert.equal(new Set(seen).size, 6)
  assert.equal((await api.call('GET /demo/messages?status=sent')).json.data.length, 0)
  assert.equal((await api.call('GET /demo/messages?kind=sms')).json.data.length, 3)
  for (const query of ['status=read', 'limit=201', 'after=abc', 'who=me']) {
    assert.equal((await api.call(`GET /demo/messages?${query}`)).status, 422, query)
  }
  const { json } = await api.operator('POST /admin/accounts/demo/clients', {
    body: { name: 'Fitzroy', scopes: ['deliveries:read'], store_references: ['fitzroy'] },
  })
  const fitzroy = await api.tokenOf(json.data.client_id, json.data.client_secret)
  assert.deepEqual((await api.call('GET /demo/messages', { token: fitzroy })).json.data, [])
  const quotes = await api.tokenOf('demo-client', 'demo-secret', 'quotes')
  assert.equal((await api.call('GET /demo/messages', { token: quotes })).status, 403)
})

type Message = {
  id: string
  kind: string
  to: string
  template: string
  text?: string
  status: string
  reason?: string
  attempts: number
  next_attempt_at?: string
}

async function claimBoth(deps: Deps) {
  return [...(await claimMessages(deps, 'sms', 10)), ...(await claimMessages(deps, 'email', 10))]
}

const isSent = ({ status }: Message) => status === 'sent'

async function create(api: Api, over: object = {}) {
  const { status, json, text } = await api.call('POST /demo/deliveries', { body: deliveryBody(over) })
  assert.equal(status, 201, text)
  return json.data
}

function untilMessages(api: Api, query: string, reached: (all: Message[]) => boolean): Promise<Message[]> {
  return until(async () => {
    const { data } = (await api.call(`GET /demo/messages?${query}`)).json
    return data.length > 0 && reached(data) && data
  })
}

/** A database that loses the statement of this name, like a process that dies before it. */
function deafTo(db: Api['fixture']['deps']['db'], name: string) {
  return new Proxy(db, {
    get(target, property) {
      if (property !== 'query') return Reflect.get(target, property)
      return (...args: Parameters<typeof db.query>) => {
        if ((args[0] as unknown as { name?: string }).name === name) throw new Error('died')
        return target.query(...args)
      }
    },
  })
}
