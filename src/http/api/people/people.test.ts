import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, apiOf, deliveryBody, quoteBody, usedBy } from '../../../../test/api.ts'
import { mailServer } from '../../../../test/mail-server.ts'
import {
  ADMIN,
  apiWithPeople,
  type Browser,
  browserOf,
  CLERK,
  OPERATOR_USER,
  person,
} from '../../../../test/people.ts'
import { until } from '../../../../test/wait-until.ts'
import { ROLE_SCOPES } from '../../../domain/people/user.ts'
import { allEndpoints } from '../endpoints.ts'

const PASSWORD = 'a long enough phrase'
const pathOf = (url: string, account: string) =>
  url.replace(':tenant_id', account).replace(/:[a-z_]+/g, 'nowhere')

test('a user has the same access as a client with the same scopes and stores', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const [clerk, admin, operator] = [
    await person(api, CLERK),
    await person(api, ADMIN),
    await person(api, OPERATOR_USER),
  ]

  await t.test('each role at each endpoint', async () => {
    const people = [
      ['store_clerk', clerk],
      ['merchant_admin', admin],
      ['operator', operator],
    ] as const
    // The body is invalid, so that only admission is tested.
    for (const { method, url, access, alsoAdmin } of allEndpoints()) {
      if (access === 'public' || access === 'driver' || access === 'document' || access === 'client') continue
      for (const [role, one] of people) {
        const line = `${method} ${pathOf(url, 'demo')}`
        const otherAccountPath = `${method} ${pathOf(url, 'acme-byoc')}`
        const allowed =
          access === 'operator'
            ? role === 'operator' || (alsoAdmin === true && role === 'merchant_admin')
            : ROLE_SCOPES[role].includes(access)
        const body = method === 'GET' ? {} : { body: { nonsense: true } }
        const { status, json } = await one.call(line, body)
        if (allowed) assert.ok(![401, 403].includes(status), `${role} ${line}: ${status}`)
        else assert.deepEqual([status, json.code], [403, 'insufficient_scope'], `${role} ${line}`)
        if (role === 'operator' || !url.includes(':tenant_id')) continue
        assert.equal((await one.call(otherAccountPath, body)).status, 404, `${role} ${otherAccountPath}`)
      }
    }
  })

  await t.test('a clerk sees only their own stores', async () => {
    const inSydney = deliveryBody({ store_reference: 'sydney-cbd' })
    const otherAccountPath = (await admin.call('POST /demo/deliveries', { body: inSydney })).json.data
    const own = (await clerk.call('POST /demo/deliveries', { body: deliveryBody() })).json.data
    assert.equal((await clerk.call('POST /demo/deliveries', { body: inSydney })).status, 404)
    const quote = { ...quoteBody, store_reference: 'sydney-cbd' }
    assert.equal(
      (await clerk.call('POST /demo/deliveries/quote-next-available', { body: quote })).status,
      404,
    )
    for (const rest of ['', '/events', '/carrier-events', '/decision', '/options', '/label']) {
      assert.equal((await clerk.call(`GET /demo/deliveries/${otherAccountPath.id}${rest}`)).status, 404, rest)
    }
    for (const verb of ['book', 'request-cancel']) {
      assert.equal(
        (await clerk.call(`PATCH /demo/deliveries/${otherAccountPath.id}/${verb}`)).status,
        404,
        verb,
      )
    }
    const listed = (await clerk.call('GET /demo/deliveries')).json.data
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      [own.id],
    )
    const stores = (await clerk.call('GET /demo/stores')).json.data
    assert.deepEqual(stores.map(({ reference }: { reference: string }) => reference).sort(), [
      'fitzroy',
      'melbourne-cbd',
    ])
  })

  await t.test('an operator enters every account; an admin creates clients in their own', async () => {
    assert.equal((await operator.call('GET /session')).json.data.tenant_id, null)
    const accounts = (await operator.call('GET /admin/accounts')).json.data
    const ids = accounts.map((one: { tenant_id: string }) => one.tenant_id)
    assert.deepEqual(ids.sort(), ['acme-byoc', 'demo'])
    for (const account of ['demo', 'acme-byoc']) {
      assert.equal((await operator.call(`GET /${account}/deliveries`)).status, 200, account)
    }
    assert.equal((await operator.call('GET /nobody/deliveries')).status, 404)
    const created = await admin.call('POST /admin/accounts/demo/clients', {
      body: { name: 'Till', scopes: ['quotes'], password: ADMIN.password },
    })
    assert.equal(created.status, 201)
    assert.equal((await admin.call('GET /admin/accounts/acme-byoc/clients')).status, 404)
    assert.equal((await admin.call('GET /admin/accounts/acme-byoc')).status, 404)
    assert.equal((await admin.call('GET /admin/accounts')).status, 403, 'only operators list accounts')
  })

  await t.test('the account’s rate limit applies to users too', async () => {
    const { headers } = await clerk.call('GET /demo/stores')
    assert.match(String(headers['ratelimit-policy']), /^"default";q=\d+;w=\d+$/)
  })
})

test('an admin manages users', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const users = async () => (await admin.call('GET /demo/users')).json.data
  const invite = (body: object) =>
    admin.call('POST /demo/users', { body: { ...body, password: ADMIN.password } })
  const everybody = await users()
  const [self, cleo] = [ADMIN, CLERK].map(({ email }) =>
    everybody.find((one: { email: string }) => one.email === email),
  )

  await t.test('every mistake is reported', async () => {
    const cases: [name: string, body: object, status: number, message: string][] = [
      ['no address', { email: 'ada', role: 'merchant_admin' }, 422, 'email'],
      ['no such role', { email: 'a@b.example', role: 'operator' }, 422, 'role'],
      ['a clerk of no store', { email: 'a@b.example', role: 'store_clerk' }, 422, 'store_references'],
      [
        'a clerk of nowhere',
        { email: 'a@b.example', role: 'store_clerk', store_references: ['fitzroy', 'fitzory'] },
        422,
        'store_references[1]',
      ],
      [
        'an admin of some stores',
        { email: 'a@b.example', role: 'merchant_admin', store_references: ['fitzroy'] },
        422,
        'store_references',
      ],
      [
        'again, in capitals',
        { email: CLERK.email.toUpperCase(), role: 'merchant_admin' },
        409,
        'duplicate_user',
      ],
    ]
    for (const [name, body, status, message] of cases) {
      const { status: is, json } = await invite(body)
      assert.deepEqual([is, json.errors?.[0].field ?? json.code], [status, message], name)
    }
    assert.match((await invite(cases[3]?.[1] ?? {})).json.errors[0].message, /Did you mean "?fitzroy/)
    assert.equal((await users()).length, 2, 'and no user was created')
  })

  await t.test('a new role and new stores apply from the next request', async () => {
    const clerk = await person(api, CLERK)
    const change = (body: object) =>
      admin.call(`PATCH /demo/users/${cleo.id}`, { body: { ...body, password: ADMIN.password } })
    assert.equal((await clerk.call('GET /demo/stores/sydney-cbd')).status, 404)
    assert.equal((await change({ store_references: ['sydney-cbd'] })).status, 200)
    assert.equal((await clerk.call('GET /demo/stores/sydney-cbd')).status, 200)
    assert.equal((await clerk.call('GET /demo/users')).status, 403)
    assert.equal((await change({ role: 'merchant_admin' })).json.data.store_references, null)
    assert.equal((await clerk.call('GET /demo/users')).status, 200)
    assert.equal((await change({ role: 'store_clerk' })).status, 422, 'of which stores?')
    const back = await change({ role: 'store_clerk', store_references: ['fitzroy'], name: 'Cleo' })
    assert.deepEqual([back.json.data.name, back.json.data.store_references], ['Cleo', ['fitzroy']])
    assert.equal((await change({ email: 'x@y.example' })).status, 422, 'the address is the user’s identity')
  })

  await t.test('users cannot change their own access', async () => {
    for (const body of [{ disabled: true }, { role: 'store_clerk', store_references: ['fitzroy'] }]) {
      const { status, json } = await admin.call(`PATCH /demo/users/${self.id}`, { body })
      assert.deepEqual([status, json.code], [409, 'own_access_change'])
    }
    assert.equal((await admin.call(`PATCH /demo/users/${self.id}`, { body: { name: 'Ada' } })).status, 200)
    assert.equal((await admin.call('PATCH /demo/users/usr_none', { body: { name: 'x' } })).status, 404)
  })

  await t.test('a client with the scope manages users too, unless it is limited to some stores', async () => {
    assert.equal((await api.call('GET /demo/users')).status, 200)
    const { json } = await api.operator('POST /admin/accounts/demo/clients', {
      body: { name: 'Some', scopes: ['account'], store_references: ['fitzroy'] },
    })
    const token = await api.tokenOf(json.data.client_id, json.data.client_secret)
    const ofAll = [
      'GET /demo/users',
      'GET /demo/audit-log',
      'GET /demo/carriers',
      'GET /demo/carriers/swiftly',
    ]
    for (const line of ofAll) {
      const { status, json: problem, headers } = await api.call(line, { token })
      assert.deepEqual([status, problem.code], [403, 'insufficient_scope'], line)
      assert.match(String(headers['www-authenticate']), /error="insufficient_scope"/, line)
    }
    const body = { on: false, decommissioned: true }
    assert.equal((await api.call('PUT /demo/carriers/swiftly/switch', { token, body })).status, 403)
    assert.equal((await api.call('GET /demo/carriers/swiftly')).json.data.on, true)
  })
})

test('an invited user chooses name and password, once', async (t) => {
  const mail = await mailServer(t)
  const api = await apiWithPeople(t, { smtpUrl: mail.url })
  const admin = await person(api, ADMIN)
  const { db } = api.fixture.deps
  const invited = await admin.call('POST /demo/users', {
    body: { email: 'Nora@Shop.example', role: 'store_clerk', store_references: ['fitzroy'] },
    headers: { 'idempotency-key': 'nora' },
  })
  const { id, invitation_url: address } = invited.json.data
  const token = tokenOf(address)
  const set = (by: Pick<Browser, 'call'>, body: object) => by.call('POST /session/password', { body })
  const nora = browserOf(api)

  await t.test('the invitation link is sent by email, and is not stored', async () => {
    const { body, header, to } = await mailTo(mail.mails, 'nora@shop.example')
    assert.deepEqual(to, ['nora@shop.example'])
    assert.match(header('subject'), /login to Drover/)
    assert.ok(
      body
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=')
        .includes(address),
      body,
    )
    const { rows } = await db.query(
      `select (select json_agg(l) from user_links l)::text || (select json_agg(m) from messages m)::text
        || (select json_agg(k) from idempotency_keys k)::text || (select json_agg(a) from audit_log a)::text as dump`,
    )
    assert.ok(!rows[0].dump.includes(token.split('.')[1] as string))
    const outbox = (await api.call('GET /demo/messages')).json.data
    assert.match(outbox[0].text, /\{link\}/)
    assert.equal((await clerkOf(api).call('GET /demo/messages')).json.data.length, 0, 'no clerk reads it')
  })

  await t.test('only the same key returns the invitation link again', async () => {
    const again = await admin.call('POST /demo/users', {
      body: { email: 'Nora@Shop.example', role: 'store_clerk', store_references: ['fitzroy'] },
      headers: { 'idempotency-key': 'nora' },
    })
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [invited.text, 'true'])
  })

  await t.test('the link shows whom it is for, and asks for a good password', async () => {
    const opened = await nora.call('POST /session/link', { body: { token } })
    assert.deepEqual(opened.json.data, {
      purpose: 'invitation',
      email: 'nora@shop.example',
      name: null,
      account_name: 'Wattle & Co demo',
    })
    const bad = ['short', 'aaaaaaaaaaaa', 'password123', 'nora123456789', 'x'.repeat(201)]
    for (const password of bad) {
      assert.equal((await set(nora, { token, password, name: 'Nora' })).status, 422, password)
    }
    assert.equal((await set(nora, { token, password: PASSWORD })).json.errors[0].field, 'name')
  })

  await t.test('a newer invitation replaces the older one', async () => {
    const { json } = await admin.call(`POST /demo/users/${id}/invite`)
    assert.equal(
      (await set(nora, { token, password: PASSWORD, name: 'Nora' })).json.code,
      'user_link_expired',
    )
    const newest = tokenOf(json.data.invitation_url)
    const other = await usedBy(apiOf(api.fixture), api.fixture)
    t.after(() => other.app.close())
    const body = { token: newest, password: PASSWORD, name: 'Nora' }
    const answers = await Promise.all([nora, browserOf(other), browserOf(api)].map((by) => set(by, body)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 410, 410], 'of three at once')
    assert.equal((await set(nora, body)).status, 410, 'used')
    assert.equal((await admin.call(`POST /demo/users/${id}/invite`)).json.code, 'user_active')
    const session = await nora.call('POST /session', {
      body: { email: 'NORA@shop.example', password: PASSWORD },
    })
    assert.equal(session.json.data.user.name, 'Nora')
  })

  await t.test('an expired, changed or invented link is rejected', async () => {
    const { json } = await admin.call('POST /demo/users', {
      body: { email: 'late@shop.example', role: 'merchant_admin', password: ADMIN.password },
    })
    const late = tokenOf(json.data.invitation_url)
    const body = { password: PASSWORD, name: 'Late' }
    for (const bad of ['', 'x', `${late}x`, late.replace('demo.', 'acme-byoc.'), `~.${'A'.repeat(43)}`]) {
      assert.equal((await set(nora, { ...body, token: bad })).status, 410, bad)
    }
    await db.query('update user_links set expires_at = now()')
    assert.equal((await set(nora, { ...body, token: late })).status, 410)
  })

  await t.test('a forgotten password is reset by email, and every session ends', async () => {
    const forgot = (email: string) => nora.call('POST /session/forgotten', { body: { email } })
    const [known, unknown] = [await forgot('Nora@shop.example'), await forgot('nobody@shop.example')]
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
    const { body } = await mailTo(mail.mails, 'nora@shop.example', /a new password/)
    assert.ok(!mail.mails.some(({ to }) => to.includes('nobody@shop.example')))
    const reset = /welcome#([\w.~-]+)/.exec(body.replaceAll(/=\r?\n/g, ''))?.[1] as string
    assert.equal((await nora.call('GET /session')).status, 200, 'the old one holds until then')
    assert.equal((await set(browserOf(api), { token: reset, password: `${PASSWORD}!` })).status, 204)
    assert.equal((await nora.call('GET /session')).status, 401)
    const logIn = (password: string) =>
      nora.call('POST /session', { body: { email: 'nora@shop.example', password } })
    assert.equal((await logIn(PASSWORD)).status, 401)
    assert.equal((await logIn(`${PASSWORD}!`)).status, 200)
    const sent = await admin.call(`POST /demo/users/${id}/reset-password`)
    assert.equal(sent.status, 202)
    assert.doesNotMatch(sent.text, /welcome/, 'an admin does not get to be somebody else')
  })
})

function tokenOf(address: string): string {
  return address.split('#')[1] as string
}

/** Reads what a client of the clerk's stores may read, without another login. */
function clerkOf(api: Api): Pick<Browser, 'call'> {
  const limited = api
    .operator('POST /admin/accounts/demo/clients', {
      body: { name: 'Clerk', scopes: ['deliveries:read'], store_references: ['fitzroy'] },
    })
    .then(({ json }) => api.tokenOf(json.data.client_id, json.data.client_secret))
  return { call: async (line, options) => api.call(line, { ...options, token: await limited }) }
}

type Mails = Awaited<ReturnType<typeof mailServer>>['mails']

function mailTo(mails: Mails, address: string, subject = /./): Promise<Mails[number]> {
  return until(
    () => mails.find(({ to, header }) => to.includes(address) && subject.test(header('subject'))),
    `an email reached ${address}`,
  )
}
