import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'

import {
  type Api,
  type Call,
  customer,
  deliveryBody,
  lineItem,
  parcel,
  type Reply,
} from '../../../test/api.ts'
import { driverApi, JPEG, ownDelivery, SAM } from '../../../test/driver.ts'
import { extraBooking } from '../../../test/extra-booking.ts'
import { lostBooking, pallet } from '../../../test/lost-booking.ts'
import { mailServer } from '../../../test/mail-server.ts'
import { openIdServer } from '../../../test/openid-server.ts'
import { softAuthenticator } from '../../../test/passkey.ts'
import { ADMIN, apiWithPeople, browserOf, CLERK, OPERATOR_USER, person } from '../../../test/people.ts'
import { until } from '../../../test/wait-until.ts'
import { linkIdentity } from '../../store/people/user-identities.ts'
import { allEndpoints } from '../api/endpoints.ts'
import { isAudited } from './audit.ts'

const READY = '2026-11-24T14:00:00+11:00'

/** A courier without an interface. */
const BOB = {
  ...{ provider: 'bob', adapter: 'local_courier', name: 'Bob’s Couriers' },
  settings: { email: 'jobs@bob.example' },
  services: [
    {
      ...{ service: 'VAN', carrier_code: 'VAN', delivery_type: 'flexible', manifest_group: 'BOB' },
      timing: { on_day: { cut_off: '16:00', days: 0, from: '12:00', to: '20:00' } },
      rate_card: { zones: { metro: ['3000-3207'] }, rates: [{ zone: 'metro', up_to_kg: 20, cents: 1_500 }] },
    },
  ],
}

/** The actor, the object and the account of an operation. */
type ExpectedRow = { actor: string; object: RegExp | null; account?: string }

const CLIENT = 'client demo-client'
const OPERATOR = 'operator token'
const USER = /^usr_/
const DELIVERY = /^dlv_/

test('every operation that changes something writes exactly one row before its response', async (t) => {
  const mail = await mailServer(t)
  const api = await apiWithPeople(t, { smtpUrl: mail.url, publicUrl: 'https://drover.test' })
  const { call, operator } = api
  const seen = new Set<string>()
  /** Sends a request and checks the rows that it must add to the audit log. */
  const audits = async (
    operationId: string,
    expected: ExpectedRow,
    ask: () => Promise<Reply>,
  ): Promise<Reply> => {
    const before = await rowsOf(api)
    const reply = await ask()
    assert.ok(reply.status < 300, `${operationId}: ${reply.status} ${reply.text}`)
    const rows = (await rowsOf(api)).slice(before.length)
    assert.equal(rows.length, 1, `${operationId} left ${rows.length} rows`)
    const [row] = rows
    assert.equal(row?.action, operationId)
    assert.equal(`${row?.actor_kind} ${row?.actor}`, expected.actor, operationId)
    if (expected.object) assert.match(row?.object ?? '', expected.object, operationId)
    else assert.equal(row?.object, null, operationId)
    assert.equal(row?.account_id, expected.account ?? 'demo', operationId)
    assert.equal(row?.request_id, reply.headers['x-request-id'], operationId)
    assert.equal(row?.ip, '127.0.0.1')
    seen.add(operationId)
    return reply
  }
  const asClient = (operationId: string, object: RegExp | null, line: string, options: Call = {}) =>
    audits(operationId, { actor: CLIENT, object }, () => call(line, options))
  const create = (over: object = {}) =>
    asClient('createDelivery', DELIVERY, 'POST /demo/deliveries', { body: deliveryBody(over) })

  const { id: held } = await lostBooking(api)
  const uncertainManifestId = await lostManifest(api)

  await t.test('deliveries', async () => {
    const { id } = (await create()).json.data
    const one = `PATCH /demo/deliveries/${id}`
    await asClient('amendDelivery', DELIVERY, `${one}/amend`, { body: { ready_for_pickup_at: READY } })
    await asClient('bookDelivery', DELIVERY, `${one}/book`)
    await asClient('requestCancel', DELIVERY, `${one}/request-cancel`)
    const erase = () => operator(`DELETE /admin/accounts/demo/deliveries/${id}`)
    await audits('eraseDelivery', { actor: OPERATOR, object: DELIVERY }, erase)
    assert.equal(await growth(api, erase), 0, 'it is erased already')
    const ofAnyType = { reference: 'MOVED-1', book_delivery_now: true }
    const { id: moved } = (await create(ofAnyType)).json.data
    await until(async () => {
      const { status } = (await call(`GET /demo/deliveries/${moved}`)).json.data
      return status === 'booked'
    }, 'it is booked')
    await extraBooking(api, moved, 'XB-1')
    await asClient('settleExtraBooking', DELIVERY, `PATCH /demo/deliveries/${moved}/settle-extra-booking`, {
      body: { consignment_number: 'XB-1', confirmed_by: 'Priya at the carrier' },
    })
    await asClient('reassignDelivery', DELIVERY, `PATCH /demo/deliveries/${moved}/reassign`)
    await asClient('settleBooking', DELIVERY, `PATCH /demo/deliveries/${held}/settle-booking`, {
      body: { booked: false },
    })
    await ownDelivery(api, SAM, { reference: 'OWN-1' })
    const courier = { phone: SAM, driver_name: 'Sam Okafor' }
    await asClient('assignDelivery', DELIVERY, 'PATCH /demo/deliveries/OWN-1/assign', {
      body: { staff_courier: courier },
    })
  })

  await t.test('manifests', async () => {
    const standard = { delivery_type: 'standard', book_delivery_now: true }
    const named = (...delivery_references: string[]) => ({
      store_reference: 'melbourne-cbd',
      delivery_references,
    })
    const road = { manifest_group: 'SOUTHERN-ROAD' }
    for (const reference of ['M-1', 'M-2', 'M-3']) await create({ ...standard, reference })
    await asClient('createManifests', null, 'POST /demo/manifests', { body: { ...named('M-1'), ...road } })
    const drafts = await asClient('createStoreManifests', null, 'POST /demo/store-manifests', {
      body: { ...named('M-2'), create_manifest_now: false },
    })
    const [draft] = drafts.json.data
    await asClient('submitManifest', /^man_/, `POST /demo/manifests/${draft.id}/submit`)
    const more = await asClient('createStoreManifests', null, 'POST /demo/store-manifests', {
      body: { ...named('M-3'), create_manifest_now: false },
    })
    await asClient('discardManifest', /^man_/, `PATCH /demo/manifests/${more.json.data[0].id}/discard`)
    await asClient('settleSubmit', /^man_/, `PATCH /demo/manifests/${uncertainManifestId}/settle-submit`, {
      body: { submitted: false },
    })
  })

  await t.test('couriers, webhooks and links', async () => {
    const courier = { store_reference: 'fitzroy', phone: '0491 570 006', driver_name: 'Ned' }
    const { id } = (
      await asClient('addStaffCourier', /^cou_/, 'POST /demo/staff-couriers', { body: courier })
    ).json.data
    const off = { body: { active: false } }
    await asClient('changeStaffCourier', /^cou_/, `PATCH /demo/staff-couriers/${id}`, off)
    await asClient('removeStaffCourier', /^cou_/, `DELETE /demo/staff-couriers/${id}`)

    const hook = await asClient('createWebhookEndpoint', /^whk_/, 'POST /demo/webhook-endpoints', {
      body: { url: 'http://127.0.0.1:9/' },
    })
    const one = `/demo/webhook-endpoints/${hook.json.data.id}`
    const types = { body: { event_types: ['delivery.booked'] } }
    await asClient('changeWebhookEndpoint', /^whk_/, `PATCH ${one}`, types)
    await asClient('rotateWebhookSecret', /^whk_/, `POST ${one}/rotate-secret`)
    await asClient('replayWebhooks', /^whk_/, `POST ${one}/replay`, {
      body: { from: '2026-11-24T09:00:00Z' },
    })
    await asClient('deleteWebhookEndpoint', /^whk_/, `DELETE ${one}`)

    const { country: _, ...address } = deliveryBody().address as { country: string }
    const body = {
      ...{ store_reference: 'melbourne-cbd', reference: 'CC-1', customer, address },
      ...{ line_items: [lineItem], parcels: [parcel] },
    }
    const created = await asClient('createLink', /^lnk_/, 'POST /demo/links', { body })
    const open = `/l/${created.json.data.link.split('/l/')[1]}`
    const headers = {
      'link-session': (await call(`POST ${open}/verify`, { token: null, body: { reference: 'CC-1' } })).json
        .data.session,
    }
    const book = () =>
      call(`POST ${open}/book`, { token: null, headers, body: { delivery_type: 'standard' } })
    await audits('bookLink', { actor: `link ${created.json.data.id}`, object: DELIVERY }, book)
    assert.equal(await growth(api, book), 0, 'booking again changes nothing')
    const spare = (
      await asClient('createLink', /^lnk_/, 'POST /demo/links', {
        body: { ...body, reference: 'CC-2' },
      })
    ).json.data
    await asClient('readLinkAddress', /^lnk_/, `POST /demo/links/${spare.id}/address`)
    await api.fixture.deps.db.query(
      `update messages set status = 'no_channel', due_at = null where link_id = $1 and status = 'queued'`,
      [spare.id],
    )
    // A link cannot be re-sent within a minute.
    await api.fixture.deps.db.query('delete from login_attempts')
    await asClient('sendLink', /^lnk_/, `POST /demo/links/${spare.id}/send`)
    await asClient('revokeLink', /^lnk_/, `DELETE /demo/links/${spare.id}`)
  })

  await t.test('couriers’ own steps', async () => {
    const jobs = await Promise.all(
      ['D-1', 'D-2', 'D-3'].map((reference) => ownDelivery(api, SAM, { reference })),
    )
    const [first, second, third] = jobs.map(({ id }) => id)
    const before = (await rowsOf(api)).length
    const sam = await driverApi(api, SAM)
    const [verified, ...rest] = (await rowsOf(api)).slice(before)
    assert.deepEqual([verified?.action, verified?.actor, rest.length], ['verifyDriver', SAM, 0])
    seen.add('verifyDriver')
    const step = (verb: string, id: string, body: object = {}) =>
      audits(`${verb}Job`, { actor: `driver ${SAM}`, object: DELIVERY }, () =>
        sam.call(`POST /driver/jobs/${id}/${verb}`, { body }),
      )
    await step('accept', first)
    await step('approach', first)
    await step('collect', first)
    const proof = { proof: { id: 'proof-0001', kind: 'photo', image: JPEG } }
    await step('deliver', first, proof)
    const again = () => sam.call(`POST /driver/jobs/${first}/deliver`, { body: proof })
    assert.equal(await growth(api, again), 0, 'a repeated proof is stored once')
    await step('refuse', second, { reason: 'Too far.' })
    await step('accept', third)
    await step('collect', third)
    await step('fail', third, { reason: 'refused' })
    await step('return', third)
    const fourth = (await ownDelivery(api, SAM, { reference: 'OWN-4' })).id
    await step('accept', fourth)
    await step('collect', fourth)
    await audits('bringBackJob', { actor: `driver ${SAM}`, object: DELIVERY }, () =>
      sam.call(`POST /driver/jobs/${fourth}/bring-back`, { body: {} }),
    )
    await asClient('recordOutcome', DELIVERY, `PATCH /demo/deliveries/${fourth}/record-outcome`, {
      body: { outcome: 'returned', reason: 'It is back.' },
    })
    const parcels = [{ ...parcel, quantity: 2 }]
    const fifth = (await ownDelivery(api, SAM, { reference: 'OWN-5', parcels })).id
    await step('accept', fifth)
    await step('collect', fifth, { parcels: [{ reference: 'P1', quantity: 1 }] })
    await asClient('sendLeftBehind', DELIVERY, `POST /demo/deliveries/${fifth}/send-left-behind`, {})
    const out = () => sam.call('POST /driver/logout')
    await audits('logoutDriver', { actor: `driver ${SAM}`, object: null }, out)
    assert.equal(await growth(api, out), 0)
  })

  await t.test('carriers', async () => {
    const line = 'PUT /demo/carriers/swiftly/switch'
    await asClient('switchCarrier', /^swiftly$/, line, { body: { on: false, reason: 'no couriers' } })
    await asClient('switchCarrier', /^swiftly$/, line, { body: { on: true } })
  })

  await t.test('couriers without an interface', async () => {
    const { json: document } = await operator('GET /admin/accounts/demo')
    await operator('PUT /admin/accounts/demo', {
      body: {
        ...document,
        carriers: [BOB, ...document.carriers],
        booking: { ...document.booking, order: { preferred: ['bob'] } },
      },
    })
    const flexible = { delivery_type: 'flexible', book_delivery_now: true }
    const { id, consignment_number } = (await create(flexible)).json.data
    await asClient('reportCarrierStatus', DELIVERY, `POST /demo/deliveries/${id}/carrier-status`, {
      body: { status: 'collected' },
    })
    await asClient('reportCarrierStatuses', /^bob$/, 'POST /demo/carriers/bob/statuses', {
      headers: { 'content-type': 'text/csv' },
      payload: `status,consignment_number\ndelivered,${consignment_number}`,
    })
  })

  await t.test('accounts', async () => {
    const asOperator = (operationId: string, object: RegExp, line: string, options: Call = {}) =>
      audits(operationId, { actor: OPERATOR, object }, () => operator(line, options))
    const one = '/admin/accounts/demo'
    const { json: document } = await operator(`GET ${one}`)
    const renamed = { body: { ...document, name: 'Renamed' } }
    assert.equal(await growth(api, () => operator(`PUT ${one}?dry_run=true`, renamed)), 0, 'only asked')
    await asOperator('applyAccount', /^demo$/, `PUT ${one}`, renamed)
    assert.equal(await growth(api, () => operator(`PUT ${one}`, renamed)), 0, 'the same again')
    await asOperator('setAccountClock', /^demo$/, `PUT ${one}/clock`, { body: { now: READY } })
    const client = await asOperator('createClient', /^client_/, `POST ${one}/clients`, {
      body: { name: 'Till', scopes: ['quotes'] },
    })
    const { client_id: created } = client.json.data
    await asOperator('takeOverClient', /^client_/, `POST ${one}/clients/${created}/take-over`)
    await asOperator('revokeClient', /^client_/, `DELETE ${one}/clients/${created}`)
    await asOperator('sendTestMessage', /^msg_/, `POST ${one}/test-message`, {
      body: { name: 'booked', email: 'owner@wattle.example', subject: 'A test', text: 'Hello {{link}}' },
    })
    await asOperator('setSecret', /^swiftly-key$/, `PUT ${one}/secrets/swiftly-key`, {
      body: { secret: 'x' },
    })
    await asOperator('deleteSecret', /^swiftly-key$/, `DELETE ${one}/secrets/swiftly-key`)
  })

  await t.test('people', async () => {
    const ada = await person(api, ADMIN)
    const { id } = (await ada.call('GET /session')).json.data.user
    const own = { password: ADMIN.password }
    const asAda = (operationId: string, line: string, body: object, object = USER) =>
      audits(operationId, { actor: `user ${id}`, object }, () => ada.call(line, { body }))
    await asAda('logIn', 'POST /session', ADMIN)
    const created = await asAda('inviteUser', 'POST /demo/users', {
      email: 'n@s.example',
      role: 'merchant_admin',
      ...own,
    })
    const one = `/demo/users/${created.json.data.id}`
    const { invitation_url: address } = (await asAda('inviteUserAgain', `POST ${one}/invite`, own)).json.data
    const newUser = { actor: `user ${created.json.data.id}`, object: USER }
    await audits('setPassword', newUser, () =>
      browserOf(api).call('POST /session/password', {
        body: { token: address.split('#')[1], password: 'a long enough phrase', name: 'Nora' },
      }),
    )
    await asAda('resetUserPassword', `POST ${one}/reset-password`, {})
    await asAda('changeUser', `PATCH ${one}`, { role: 'store_clerk', store_references: ['fitzroy'] })
    const { rows } = await api.fixture.deps.db.query(
      `select before, after from audit_log where action = 'changeUser' and object = $1`,
      [created.json.data.id],
    )
    assert.deepEqual(rows, [
      {
        before: { role: 'merchant_admin', store_references: null, status: 'active' },
        after: { role: 'store_clerk', store_references: ['fitzroy'], status: 'active' },
      },
    ])
    const { secret } = (await ada.call('POST /session/second-factor', { body: { password: ADMIN.password } }))
      .json.data
    const code = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
    await asAda('confirmSecondFactor', 'POST /session/second-factor/confirm', { code: code(-1) })
    await asAda('disableSecondFactor', 'POST /session/second-factor/disable', {
      password: ADMIN.password,
      code: code(0),
    })
    const clerk = await person(api, CLERK)
    const clerkId = (await clerk.call('GET /session')).json.data.user.id
    const theirApp = await clerk.call('POST /session/second-factor', { body: { password: CLERK.password } })
    const generated = new TOTP({ secret: Secret.fromBase32(theirApp.json.data.secret) }).generate()
    const { json: confirmed } = await clerk.call('POST /session/second-factor/confirm', {
      body: { code: generated },
    })
    const provider = await openIdServer(t, 'https://drover.test')
    const { json: document } = await operator('GET /admin/accounts/demo')
    const sign_in = { openid_connect: { name: 'Acme', issuer: provider.issuer, client_id: 'public' } }
    await operator('PUT /admin/accounts/demo', { body: { ...document, sign_in } })
    const link = (userId: string, subject: string) =>
      linkIdentity(api.fixture.deps.db, { accountId: 'demo', userId }, { issuer: provider.issuer, subject })
    await link(clerkId, 'cleo')
    const site = { 'sec-fetch-site': 'same-origin' }
    const begun = await call('POST /session/openid', {
      ...{ token: null, headers: site },
      body: { tenant_id: 'demo', purpose: 'log_in' },
    })
    const answer = await provider.visit(begun.json.data.url, { sub: 'cleo' })
    const answered = await call(`GET ${answer}`, { token: null, headers: { cookie: cookiesOf(begun) } })
    await audits('completeOpenId', { actor: `user ${clerkId}`, object: USER }, () =>
      call('POST /session/openid/complete', {
        ...{ token: null, headers: { ...site, cookie: cookiesOf(answered) } },
        body: { code: confirmed.data.recovery_codes[0] },
      }),
    )
    await asAda('unlinkUserOpenId', `POST /demo/users/${clerkId}/unlink-openid`, own)
    const unlinkAgain = () => ada.call(`POST /demo/users/${clerkId}/unlink-openid`, { body: own })
    assert.equal(await growth(api, unlinkAgain), 0, 'nothing is linked')
    await link(id, 'ada')
    await asAda('unlinkOpenId', 'POST /session/openid/unlink', own)
    await asAda('resetUserSecondFactor', `POST /demo/users/${clerkId}/reset-second-factor`, own)
    await person(api, ADMIN)
    const { json: sessions } = await ada.call('GET /session/sessions')
    const older = sessions.data.find(({ current }: { current: boolean }) => !current)
    await asAda('endOwnSession', `DELETE /session/sessions/${older.id}`, {})
    await person(api, ADMIN)
    await asAda('endOtherSessions', 'POST /session/end-others', {})
    const redirect_uri = 'https://assistant.example.com/callback'
    const form = { name: 'Claude', redirect_urls: [redirect_uri] }
    const assistant = await asAda('createAssistant', 'POST /demo/assistants', form, /^ast_/)
    const { id: client_id } = assistant.json.data
    await asAda('changeAssistant', `PATCH /demo/assistants/${client_id}`, { name: 'Counter' }, /^ast_/)
    await asAda(
      'allowAssistant',
      'POST /session/assistants',
      {
        ...{ tenant_id: 'demo', response_type: 'code', client_id, redirect_uri, access: 'read' },
        ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256', password: ADMIN.password },
      },
      /^gra_/,
    )
    await api.fixture.deps.db.query('update assistant_grants set exchanged_at = now()')
    const [mine] = (await ada.call('GET /session/assistants')).json.data
    await asAda('endOwnAssistant', `DELETE /session/assistants/${mine.id}`, {}, /^gra_/)
    await asAda('removeAssistant', `DELETE /demo/assistants/${client_id}`, {}, /^ast_/)
    const endOthers = () => ada.call('POST /session/end-others', { body: {} })
    assert.equal(await growth(api, endOthers), 0, 'there are no others')
    const rename = { name: 'Ada Archer' }
    await asAda('changeOwnName', 'PATCH /session', rename)
    const renameAgain = () => ada.call('PATCH /session', { body: rename })
    assert.equal(await growth(api, renameAgain), 0, 'the name is the same already')
    const phone = softAuthenticator('https://drover.test')
    const { data: asked } = (await ada.call('POST /session/passkeys/options', { body: own })).json
    const added = await asAda('addPasskey', 'POST /session/passkeys', {
      name: 'Phone',
      credential: phone.create(asked),
    })
    const onePasskey = `/session/passkeys/${added.json.data.id}`
    await asAda('renamePasskey', `PATCH ${onePasskey}`, { name: 'Old phone' })
    const { data: question } = (await browserOf(api).call('POST /session/passkey/options')).json
    await asAda('logInWithPasskey', 'POST /session/passkey', { credential: phone.get(question) })
    await asAda('removePasskey', `POST ${onePasskey}/remove`, own)
    await asAda('changeOwnPassword', 'POST /session/change-password', {
      ...own,
      new_password: 'a long enough phrase',
    })
    await asAda('logOut', 'DELETE /session', {})
  })

  const all = allEndpoints().filter(isAudited)
  assert.deepEqual(
    all.map(({ operationId }) => operationId).filter((id) => !seen.has(id)),
    [],
    'and no endpoint was left out',
  )
})

function cookiesOf({ headers }: Reply): string {
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';', 1)[0])
    .join('; ')
}

test('a rejected, repeated or read-only request writes no row', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const { call } = api
  const body = deliveryBody()
  const headers = { 'idempotency-key': 'one' }
  assert.equal(await growth(api, () => call('POST /demo/deliveries', { body, headers })), 1)
  assert.equal(await growth(api, () => call('POST /demo/deliveries', { body, headers })), 0, 'the key again')
  assert.equal(await growth(api, () => call('POST /demo/deliveries', { body })), 0, 'the reference is taken')
  const courier = { store_reference: 'fitzroy', phone: '0491 570 006', driver_name: 'Ned' }
  const add = () =>
    call('POST /demo/staff-couriers', { body: courier, headers: { 'idempotency-key': 'two' } })
  assert.equal(await growth(api, add), 1)
  assert.equal(await growth(api, add), 0)
  assert.equal(await growth(api, () => call('POST /demo/users', { body: {} })), 0)
  const quote = { ...body, line_items: [lineItem] }
  assert.equal(
    await growth(api, () => call('POST /demo/deliveries/quote-next-available', { body: quote })),
    0,
  )
  const many = () =>
    Promise.all(Array.from({ length: 20 }, () => call('POST /demo/deliveries', { body: deliveryBody() })))
  assert.equal(await growth(api, many), 20, 'rows written by one statement are all there')
})

test('a request that changes nothing writes no row', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const { call, operator } = api
  const twice = async (line: string, bodies: readonly object[], ask = call) => {
    const rows: number[] = []
    for (const body of bodies) {
      rows.push(
        await growth(api, async () => {
          const { status, text } = await ask(line, { body })
          assert.ok(status < 300, `${line}: ${text}`)
        }),
      )
    }
    assert.deepEqual(rows, [1, ...bodies.slice(1).map(() => 0)], line)
  }

  const courier = { store_reference: 'fitzroy', phone: '0491 570 006', driver_name: 'Ned' }
  const { id: ned } = (await call('POST /demo/staff-couriers', { body: courier })).json.data
  const off = { active: false }
  await twice(`PATCH /demo/staff-couriers/${ned}`, [off, off, {}, { phone: '+61491570006' }])

  const url = 'http://127.0.0.1:9/'
  const event_types = ['delivery.booked']
  const { id: hook } = (await call('POST /demo/webhook-endpoints', { body: { url } })).json.data
  await twice(`PATCH /demo/webhook-endpoints/${hook}`, [{ event_types }, { event_types, url }, {}])
  await twice(`PATCH /demo/webhook-endpoints/${hook}`, [{ status: 'paused' }, { status: 'paused' }])

  const invited = { email: 'n@s.example', role: 'merchant_admin' }
  const { id: user } = (await call('POST /demo/users', { body: invited })).json.data
  await twice(`PATCH /demo/users/${user}`, [{ disabled: true }, { disabled: true }, {}])
  await twice(`PATCH /demo/users/${user}`, [{ name: 'Nora' }, { name: 'Nora', role: 'merchant_admin' }])

  await twice('PUT /admin/accounts/demo/clock', [{ now: null }, { now: null }], operator)

  const { country: _, ...address } = deliveryBody().address as { country: string }
  const link = await call('POST /demo/links', {
    body: {
      ...{ store_reference: 'melbourne-cbd', reference: 'CC-1', customer, address },
      ...{ line_items: [lineItem], parcels: [parcel] },
    },
  })
  await twice(`DELETE /demo/links/${link.json.data.id}`, [{}, {}])
})

test('the log can be read, and nobody can change it', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const ids = []
  for (let n = 0; n < 3; n++) {
    ids.push((await admin.call('POST /demo/deliveries', { body: deliveryBody() })).json.data.id)
  }
  const read = (query = '') => admin.call(`GET /demo/audit-log${query}`)
  const first = (await read('?limit=2')).json
  assert.deepEqual(
    first.data.map(({ object }: { object: string }) => object),
    [ids[2], ids[1]],
  )
  assert.deepEqual(first.data[0].actor.name, 'Ada Admin')
  const rest = (await read(`?after=${first.pagination.next}`)).json
  assert.deepEqual(
    rest.data.map(({ action }: { action: string }) => action),
    ['createDelivery', 'logIn'],
  )
  assert.equal((await read(`?object=${ids[1]}`)).json.data.length, 1)
  assert.equal((await read(`?action=logIn&actor=${first.data[0].actor.id}`)).json.data.length, 1)
  assert.equal((await read('?after=x')).status, 422)
  const { json } = await api.call('GET /acme-byoc/audit-log', {
    token: await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc'),
  })
  assert.deepEqual(json.data, [], 'another account sees nothing of it')

  const olive = await person(api, OPERATOR_USER)
  const { data } = (await olive.call('GET /admin/audit-log')).json
  assert.deepEqual(
    data.map(({ action, actor }: { action: string; actor: { name: string } }) => [action, actor.name]),
    [['logIn', 'Olive Operator']],
    'an entry without an account is shown to operators',
  )
  await olive.call('POST /demo/deliveries', { body: deliveryBody() })
  assert.equal(
    (await read()).json.data[0].actor.name,
    'Olive Operator',
    'an operator’s change in an account is in its log',
  )

  for (const sql of [
    `update audit_log set actor = 'nobody'`,
    'delete from audit_log',
    'truncate audit_log',
    `insert into audit_log (account_id, audit_id, actor_kind, actor, action)
       select account_id, audit_id, actor_kind, actor, action from audit_log
       on conflict (account_id, audit_id) do update set actor = 'nobody'`,
  ]) {
    await assert.rejects(api.fixture.deps.db.query(sql), { code: '42501' }, sql)
  }
})

/** A manifest whose submission has an unknown outcome. */
async function lostManifest({ call, fixture }: Api): Promise<string> {
  const reference = 'LOST-2'
  const delivery = { reference, delivery_type: 'standard', parcels: [pallet], book_delivery_now: true }
  await call('POST /demo/deliveries', { body: deliveryBody(delivery) })
  const { json } = await call('POST /demo/store-manifests', {
    body: { store_reference: 'melbourne-cbd', delivery_references: [reference], create_manifest_now: false },
  })
  const [{ id }] = json.data
  await fixture.deps.db.query(`update manifests set state = 'on_hold' where manifest_id = $1`, [id])
  return id
}

type Row = {
  account_id: string
  action: string
  actor_kind: string
  actor: string
  object: string | null
  ip: string | null
  request_id: string | null
}

async function rowsOf({ fixture }: Api): Promise<Row[]> {
  return (await fixture.deps.db.query<Row>('select * from audit_log order by at, audit_id')).rows
}

/** How many audit rows a request adds. */
async function growth(api: Api, ask: () => Promise<unknown>): Promise<number> {
  const before = (await rowsOf(api)).length
  await ask()
  return (await rowsOf(api)).length - before
}
