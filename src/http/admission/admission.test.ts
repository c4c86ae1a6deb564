import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody, OPERATOR, quoteBody, testApi } from '../../../test/api.ts'
import { SCOPES } from '../../operations/directory/caller.ts'
import { makeToken } from '../../operations/tokens/access-token.ts'
import { allEndpoints } from '../api/endpoints.ts'

/** A path of the endpoint under an account; every other parameter names something that does not exist. */
/** What a 401 answers to a request without a token. The MCP endpoint also says where its clients get one (RFC 9728). */
const CHALLENGES = {
  usual: /^Bearer realm="drover"$/,
  mcp: /^Bearer realm="drover", resource_metadata="http:\/\/drover\.test\/\.well-known\/oauth-protected-resource\/demo\/mcp"$/,
}

const pathOf = (url: string, account: string) =>
  url.replace(':tenant_id', account).replace(/:[a-z_]+/g, 'nowhere')

test('every endpoint authenticates first and checks the account before it reads the request', async (t) => {
  const { call, tokenOf, fixture } = await testApi(t, { work: false })
  const foreign = await tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const demo = await tokenOf('demo-client', 'demo-secret')
  const expired = makeToken(fixture.deps.secretKey, {
    accountId: 'demo',
    clientId: 'demo-client',
    scopes: SCOPES,
    expiresAtMs: Date.now() - 1,
  })
  const forged = makeToken('another secret key, just as long', {
    accountId: 'demo',
    clientId: 'demo-client',
    scopes: SCOPES,
    expiresAtMs: Date.now() + 60_000,
  })
  const bad = { payload: '{"half', headers: { 'content-type': 'application/json' } }
  let authenticatedCount = 0
  for (const { method, url, access } of allEndpoints()) {
    if (access === 'public') continue
    const own = `${method} ${pathOf(url, 'demo')}`
    for (const token of [
      null,
      'nonsense',
      expired,
      forged,
      `${demo}x`,
      `${demo.slice(0, -1)}${demo.endsWith('A') ? 'B' : 'A'}`,
    ]) {
      const reply = await call(own, { ...bad, token })
      assert.equal(reply.status, 401, `${own} with ${token}`)
      assert.match(
        String(reply.headers['www-authenticate']),
        token === null ? CHALLENGES[access === 'client' ? 'mcp' : 'usual'] : /invalid_token/,
      )
      authenticatedCount++
    }
    if (access === 'operator' || access === 'driver') {
      assert.equal((await call(own, { ...bad, token: demo })).status, 401, own)
      continue
    }
    assert.equal((await call(own, { ...bad, token: OPERATOR })).status, 401, own)
    const otherAccount = await call(own, { ...bad, token: foreign })
    const unknownAccount = await call(`${method} ${pathOf(url, 'nobody')}`, { ...bad, token: foreign })
    assert.equal(otherAccount.status, 404, own)
    const { request_id: _, ...otherAccountBody } = otherAccount.json
    const { request_id: __, ...unknownAccountBody } = unknownAccount.json
    assert.deepEqual(otherAccountBody, unknownAccountBody, 'another account’s path looks like an unknown one')
    authenticatedCount++
  }
  assert.ok(authenticatedCount > 60)
  const unknownPath = await call('GET /nobody/at/all', { token: foreign })
  const unknown = await call('GET /acme-byoc/nothing', { token: foreign })
  assert.equal(unknownPath.status, 404)
  assert.equal(unknownPath.json.detail, unknown.json.detail)
  assert.equal((await call('GET /demo/nothing', { token: null })).status, 401)
  assert.equal((await call('GET /admin/nothing', { token: null })).status, 401)
  assert.equal((await call('GET /nothing', { token: null })).status, 404)
})

test('a token allows what its scopes allow, and nothing more', async (t) => {
  const { call, tokenOf } = await testApi(t, { work: false })
  for (const { method, url, access } of allEndpoints()) {
    if (access === 'public' || access === 'operator' || access === 'driver' || access === 'client') continue
    const needed = access === 'document' ? 'deliveries:read' : access
    const others = SCOPES.filter((scope) => scope !== needed).join(' ')
    const line = `${method} ${pathOf(url, 'demo')}`
    const refused = await call(line, { token: await tokenOf('demo-client', 'demo-secret', others), body: {} })
    assert.equal(refused.status, 403, line)
    assert.equal(refused.json.code, 'insufficient_scope')
    assert.match(refused.json.detail, new RegExp(needed))
    const admitted = await call(line, {
      token: await tokenOf('demo-client', 'demo-secret', needed),
      body: {},
    })
    assert.ok(![401, 403].includes(admitted.status), line)
  }
})

test('a client limited to some stores sees only those stores', async (t) => {
  const { call, operator, tokenOf } = await testApi(t, { work: false })
  const created = await operator('POST /admin/accounts/demo/clients', {
    body: {
      name: 'Fitzroy till',
      scopes: ['deliveries:read', 'deliveries:write', 'quotes'],
      store_references: ['fitzroy'],
    },
  })
  assert.equal(created.status, 201)
  const { client_id, client_secret } = created.json.data
  const token = await tokenOf(client_id, client_secret)
  const other = await call('POST /demo/deliveries', { body: deliveryBody() })
  const own = await call('POST /demo/deliveries', {
    token,
    body: deliveryBody({ store_reference: 'fitzroy' }),
  })
  assert.equal(other.status, 201)
  assert.equal(own.status, 201)

  const id = other.json.data.id
  for (const line of [
    `GET /demo/deliveries/${id}`,
    `GET /demo/deliveries/${other.json.data.reference}`,
    `GET /demo/deliveries/${id}/events`,
    `GET /demo/deliveries/${id}/decision`,
    `GET /demo/deliveries/${id}/options`,
    `GET /demo/deliveries/${id}/carrier-events`,
    `GET /demo/deliveries/${id}/label`,
    `PATCH /demo/deliveries/${id}/book`,
    `PATCH /demo/deliveries/${id}/request-cancel`,
    'GET /demo/stores/melbourne-cbd',
  ]) {
    assert.equal((await call(line, { token })).status, 404, line)
  }
  assert.equal((await call('POST /demo/deliveries', { token, body: deliveryBody() })).status, 404)
  assert.equal(
    (await call('POST /demo/deliveries/quote-next-available', { token, body: quoteBody })).status,
    404,
  )
  const listed = await call('GET /demo/deliveries', { token })
  assert.deepEqual(
    listed.json.data.map((one: { id: string }) => one.id),
    [own.json.data.id],
  )
  const stores = await call('GET /demo/stores', { token })
  assert.deepEqual(
    stores.json.data.map((one: { reference: string }) => one.reference),
    ['fitzroy'],
  )

  assert.equal((await operator(`DELETE /admin/accounts/demo/clients/${client_id}`)).status, 204)
  for (const line of ['GET /demo/stores', 'GET /acme-byoc/stores', 'GET /nobody/stores']) {
    assert.equal((await call(line, { token })).status, 401, `a revoked client is out at once: ${line}`)
  }
  assert.equal((await operator(`DELETE /admin/accounts/demo/clients/${client_id}`)).status, 404)
})

test('the token endpoint follows OAuth 2.0', async (t) => {
  const { call, app } = await testApi(t, { work: false })
  const good = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret' }
  const ask = (body: object) => call('POST /demo/auth/token', { token: null, body })

  const issued = await ask({ ...good, scope: 'quotes deliveries:read' })
  assert.equal(issued.status, 200)
  assert.equal(issued.headers['cache-control'], 'no-store')
  assert.deepEqual(
    { ...issued.json, access_token: '' },
    { access_token: '', token_type: 'Bearer', expires_in: 3600, scope: 'quotes deliveries:read' },
  )

  const sendForm = (payload: string) =>
    app.inject({
      method: 'POST',
      url: '/demo/auth/token',
      payload,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from('demo-client:demo-secret').toString('base64')}`,
      },
    })
  assert.equal((await sendForm('grant_type=client_credentials&scope=')).statusCode, 200)
  const twice = await sendForm('grant_type=client_credentials&scope=quotes&scope=links')
  assert.deepEqual([twice.statusCode, twice.json().error], [400, 'invalid_request'])

  const cases: [string, object, number, string][] = [
    ['a wrong secret', { ...good, client_secret: 'x' }, 401, 'invalid_client'],
    ['an unknown client', { ...good, client_id: 'x' }, 401, 'invalid_client'],
    ['no client', { grant_type: 'client_credentials' }, 401, 'invalid_client'],
    [
      'another account’s client',
      { ...good, client_id: 'acme-client', client_secret: 'acme-secret' },
      401,
      'invalid_client',
    ],
    ['an unknown scope', { ...good, scope: 'everything' }, 400, 'invalid_scope'],
    ['another grant', { ...good, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant', { client_id: 'x' }, 400, 'invalid_request'],
    ['a wrong type', { ...good, client_secret: 5 }, 400, 'invalid_request'],
    ['a character that no field accepts', { ...good, scope: 'quotes\u0000' }, 400, 'invalid_request'],
  ]
  for (const [name, body, status, error] of cases) {
    const reply = await ask(body)
    assert.equal(reply.status, status, name)
    assert.equal(reply.json.error, error, name)
    assert.equal(reply.headers['cache-control'], 'no-store', name)
  }
  const json = { 'content-type': 'application/json' }
  const unreadable = await call('POST /demo/auth/token', {
    token: null,
    payload: '{"grant_type":',
    headers: json,
  })
  assert.equal(unreadable.status, 400)
  assert.equal(unreadable.json.error, 'invalid_request', 'invalid JSON gets an RFC 6749 error')
  assert.equal(
    (await ask({ ...good, audience: 'x' })).status,
    200,
    'unknown parameters are ignored (RFC 6749)',
  )
  assert.equal(
    (await call('POST /nobody/auth/token', { token: null, body: good })).json.error,
    'invalid_client',
  )
})

test('a client may send twenty wrong secrets a minute; right ones do not count', async (t) => {
  const { call } = await testApi(t, { work: false })
  // The clock is stopped, so buckets do not refill.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const ask = (client_secret: string, client_id = 'demo-client') =>
    call('POST /demo/auth/token', {
      token: null,
      body: { grant_type: 'client_credentials', client_id, client_secret },
    })
  for (let i = 0; i < 30; i++) assert.equal((await ask('demo-secret')).status, 200)
  for (let i = 0; i < 20; i++) assert.equal((await ask('wrong')).status, 401)
  const refused = await ask('wrong')
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.equal((await ask('demo-secret')).status, 429, 'the right code gets the same response')
  assert.equal((await ask('wrong', 'somebody-else')).status, 401, 'another client is not limited')
})

test('a known path with another method answers 405 with the methods it allows', async (t) => {
  const { call } = await testApi(t, { work: false })
  const cases: [string, string][] = [
    ['DELETE /demo/deliveries', 'GET, HEAD, OPTIONS, POST'],
    ['PUT /demo/deliveries/quote-next-available', 'GET, HEAD, OPTIONS, POST'],
    ['POST /demo/stores', 'GET, HEAD, OPTIONS'],
    ['POST /health/live', 'GET, HEAD, OPTIONS'],
  ]
  for (const [line, allow] of cases) {
    const reply = await call(line, { payload: 'not json' })
    assert.equal(reply.status, 405, line)
    assert.equal(reply.headers.allow, allow, line)
  }
  assert.equal((await call('HEAD /demo/stores')).status, 200)
})
