import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { type Api, deliveryBody, type Reply } from '../../../../test/api.ts'
import { ADMIN, apiWithPeople, type Browser, CLERK, person } from '../../../../test/people.ts'

/** Clients send codes without TLS only to this machine. */
const OURS = 'http://drover.localhost'
const MCP = `${OURS}/demo/mcp`
const REDIRECT = 'https://assistant.example.com/callback'
const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

type World = { api: Api; admin: Browser; clientId: string }

async function world(t: TestContext): Promise<World> {
  const api = await apiWithPeople(t, { work: false, publicUrl: OURS })
  const admin = await person(api, ADMIN)
  const body = { name: 'Claude', redirect_urls: [REDIRECT] }
  const made = await admin.call('POST /demo/assistants', { body })
  assert.equal(made.status, 201, made.text)
  return { api, admin, clientId: made.json.data.id }
}

const requestBy = (clientId: string) => ({
  ...{ tenant_id: 'demo', response_type: 'code', client_id: clientId, redirect_uri: REDIRECT },
  ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', state: 'xyz', resource: MCP },
})

const READ_AS_ADMIN = { access: 'read', password: ADMIN.password }

/** Allows the assistant; the code in the redirect. */
async function allow(browser: Browser, clientId: string, over: object = READ_AS_ADMIN): Promise<string> {
  const body = { ...requestBy(clientId), ...over }
  const { status, text, json } = await browser.call('POST /session/assistants', { body })
  assert.equal(status, 200, text)
  const url = new URL(json.data.redirect_url)
  assert.equal(`${url.origin}${url.pathname}`, REDIRECT)
  assert.deepEqual([url.searchParams.get('state'), url.searchParams.get('iss')], ['xyz', `${OURS}/demo`])
  return url.searchParams.get('code') ?? ''
}

const tokenCall = ({ api, clientId }: Pick<World, 'api' | 'clientId'>, body: object): Promise<Reply> =>
  api.call('POST /demo/oauth/token', { token: null, body: { client_id: clientId, ...body } })

const exchange = (of: Pick<World, 'api' | 'clientId'>, code: string, over: object = {}): Promise<Reply> =>
  tokenCall(of, {
    ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER },
    ...over,
  })

const refresh = (of: Pick<World, 'api' | 'clientId'>, token: string): Promise<Reply> =>
  tokenCall(of, { grant_type: 'refresh_token', refresh_token: token })

async function tokensOf(of: World, over?: object): Promise<{ access_token: string; refresh_token: string }> {
  const { status, text, json } = await exchange(of, await allow(of.admin, of.clientId, over))
  assert.equal(status, 200, text)
  return json
}

const list = (api: Api, token: string, line = 'POST /demo/mcp') => api.call(line, { token, body: LIST })
const toolsOf = (reply: Reply): string[] =>
  reply.json.result.tools.map(({ name }: { name: string }) => name).sort()

test('the SDK’s client finds its way from a 401 to the tools, and renews its token', async (t) => {
  const { api, admin, clientId } = await world(t)
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  // The addresses are those of PUBLIC_URL; its name resolves to this test.
  const fetchOurs: typeof fetch = (url, init) =>
    fetch(String(url).replace(OURS, `http://127.0.0.1:${port}`), init)
  const kept: { tokens?: OAuthTokens; verifier?: string; page?: URL } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Claude', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    state: () => 'a state',
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens
    },
    redirectToAuthorization(url) {
      kept.page = url
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
  }
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${MCP}?tools=write`), {
      authProvider: provider,
      fetch: fetchOurs,
    })
  const first = transport()
  await assert.rejects(() => new Client({ name: 'test', version: '1' }).connect(first), UnauthorizedError)

  const { page } = kept
  assert.equal(`${page?.origin}${page?.pathname}`, `${OURS}/portal/connect/demo`)
  const asked = Object.fromEntries(page?.searchParams ?? [])
  assert.equal(asked.resource, MCP)
  const request = { tenant_id: 'demo', ...asked }
  const query = new URLSearchParams(request)
  const shown = await admin.call(`GET /session/assistants/request?${query}`)
  assert.equal(shown.status, 200, shown.text)
  assert.deepEqual(shown.json.data.assistant, { id: clientId, name: 'Claude' })
  assert.equal(shown.json.data.redirect_host, 'assistant.example.com')
  const denial = new URL(shown.json.data.denial_url)
  assert.deepEqual(Object.fromEntries(denial.searchParams), {
    ...{ error: 'access_denied', state: 'a state', iss: `${OURS}/demo` },
  })
  const body = { ...request, access: 'write', password: ADMIN.password }
  const allowed = await admin.call('POST /session/assistants', { body })
  await first.finishAuth(new URL(allowed.json.data.redirect_url).searchParams)
  assert.equal(kept.tokens?.scope, 'mcp:read mcp:write')

  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport())
  t.after(() => client.close())
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'plan_cancellation'))
  await client.callTool({ name: 'list_stores', arguments: {} })

  const before = kept.tokens as OAuthTokens
  kept.tokens = { ...before, access_token: 'dra_expired' }
  await client.callTool({ name: 'list_carriers', arguments: {} })
  assert.notEqual(kept.tokens?.refresh_token, before.refresh_token, 'the client has used its refresh token')

  const { json } = await api.call('GET /demo/audit-log?action=callMcp')
  const [row] = json.data
  assert.equal(row.actor.kind ?? row.actor_kind, 'user', JSON.stringify(row))
  assert.equal(row.after.assistant, clientId)
})

test('a person allows an assistant no more than their role and their choice', async (t) => {
  const of = await world(t)
  const { api, clientId } = of
  const reads = toolsOf(await list(api, (await tokensOf(of)).access_token, 'POST /demo/mcp?tools=write'))
  assert.ok(reads.includes('list_manifests') && reads.includes('carrier_status'))
  assert.deepEqual(
    reads.filter((name) => /^(?:plan|commit)_/.test(name)),
    [],
  )
  const admin = await tokensOf(of, { ...READ_AS_ADMIN, access: 'write' })
  const changes = toolsOf(await list(api, admin.access_token, 'POST /demo/mcp?tools=write'))
  assert.ok(changes.includes('plan_booking') && changes.includes('plan_manifest_submission'))
  assert.deepEqual(toolsOf(await list(api, admin.access_token)), reads, 'the address opts in to changes')

  const clerk = await person(api, CLERK)
  const asClerk = { access: 'write', password: CLERK.password }
  const { json } = await exchange(of, await allow(clerk, clientId, asClerk))
  const ofClerk = toolsOf(await list(api, json.access_token, 'POST /demo/mcp?tools=write'))
  assert.ok(ofClerk.includes('plan_booking') && !ofClerk.includes('carrier_status'))

  const more = { ...requestBy(clientId), scope: 'mcp:read', access: 'write', password: ADMIN.password }
  assert.equal((await of.admin.call('POST /session/assistants', { body: more })).status, 422)
  for (const line of ['GET /demo/deliveries', 'GET /demo/users']) {
    assert.equal((await api.call(line, { token: admin.access_token })).status, 401, `${line}: only at /mcp`)
  }
  assert.equal((await list(api, admin.access_token, 'POST /other/mcp')).status, 404)
})

test('only the person can allow an assistant: with their password, session and page, and for a registered address', async (t) => {
  const { api, admin, clientId } = await world(t)
  const right = { ...requestBy(clientId), ...READ_AS_ADMIN }
  const wrong: [string, object, number][] = [
    ['another password', { password: 'something else' }, 401],
    ['an unknown client', { client_id: 'ast_01kb0000000000000000000000' }, 404],
    ['an address that is not registered', { redirect_uri: `${REDIRECT}/` }, 422],
    ['an address that begins like one', { redirect_uri: `${REDIRECT}?next=https://evil.example` }, 422],
    ['another account', { tenant_id: 'other' }, 404],
    ['another resource', { resource: `${OURS}/demo` }, 422],
    ['another site’s resource', { resource: 'https://evil.example/demo/mcp' }, 422],
    ['a challenge in plain text', { code_challenge_method: 'plain' }, 422],
    ['no challenge', { code_challenge: undefined }, 422],
    ['an implicit grant', { response_type: 'token' }, 422],
  ]
  for (const [what, over, status] of wrong) {
    const reply = await admin.call('POST /session/assistants', { body: { ...right, ...over } })
    assert.equal(reply.status, status, `${what}: ${reply.text}`)
    assert.ok(!reply.text.includes('"redirect_url"'), what)
  }
  const cross = { 'sec-fetch-site': 'cross-site' }
  const ridden = await admin.call('POST /session/assistants', { body: right, headers: cross })
  assert.equal(ridden.json.code, 'cross_site_request')
  assert.equal((await api.call('POST /session/assistants', { body: right })).status, 403)
  const query = new URLSearchParams(requestBy(clientId))
  const nobody = await api.call(`GET /session/assistants/request?${query}`, { token: null })
  assert.equal(nobody.status, 401)
})

test('a code works once, for 60 seconds, with its verifier, client and redirect URL; a second use ends the access', async (t) => {
  const of = await world(t)
  const { api, admin, clientId } = of
  const { db } = api.fixture.deps
  const other = { name: 'Other', redirect_urls: [REDIRECT] }
  const otherId = (await admin.call('POST /demo/assistants', { body: other })).json.data.id
  const wrong: [string, object][] = [
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['another address', { redirect_uri: 'https://assistant.example.com/other' }],
    ['another client', { client_id: otherId }],
  ]
  for (const [what, over] of wrong) {
    const code = await allow(admin, clientId)
    assert.equal((await exchange(of, code, over)).json.error, 'invalid_grant', what)
    assert.equal((await exchange(of, code)).json.error, 'invalid_grant', `${what}: the code is void`)
  }
  const late = await allow(admin, clientId)
  const { rows } = await db.query(
    `select extract(epoch from expires_at - created_at)::int as seconds from assistant_grants`,
  )
  assert.deepEqual(rows, [{ seconds: 60 }])
  await db.query(`update assistant_grants set expires_at = now() - interval '1 second'`)
  assert.equal((await exchange(of, late)).json.error, 'invalid_grant', 'expired')
  const elsewhere = await exchange(of, await allow(admin, clientId), { resource: `${OURS}/other/mcp` })
  assert.equal(elsewhere.json.error, 'invalid_target')
  const missing = await exchange(of, await allow(admin, clientId), { code_verifier: undefined })
  assert.equal(missing.json.error, 'invalid_request')
  const implicit = await tokenCall(of, { grant_type: 'password' })
  assert.equal(implicit.json.error, 'unsupported_grant_type')

  const code = await allow(admin, clientId)
  const { json } = await exchange(of, code)
  assert.equal((await list(api, json.access_token)).status, 200)
  assert.equal((await exchange(of, code)).json.error, 'invalid_grant')
  assert.equal((await list(api, json.access_token)).status, 401)
  assert.equal((await refresh(of, json.refresh_token)).json.error, 'invalid_grant')
  const audit = await api.call('GET /demo/audit-log?action=createAssistantToken')
  const reasons = (audit.json.data as { after: { ended: string } }[]).map(({ after }) => after.ended)
  assert.deepEqual(reasons, ['used_twice', 'expired', ...wrong.map(() => 'mismatch')])
})

test('a refresh token works for its own client and account, until ten seconds after it was replaced; later use ends the access', async (t) => {
  const of = await world(t)
  const { api } = of
  const first = await tokensOf(of)
  const { json: second } = await refresh(of, first.refresh_token)
  assert.equal((await list(api, second.access_token)).status, 200)
  const body = { grant_type: 'refresh_token', client_id: of.clientId, refresh_token: second.refresh_token }
  const elsewhere = await api.call('POST /other/oauth/token', { token: null, body })
  assert.equal(elsewhere.json.error, 'invalid_grant')
  const another = await refresh({ api, clientId: 'ast_01kb0000000000000000000000' }, second.refresh_token)
  assert.equal(another.json.error, 'invalid_grant')
  const forged = `${second.refresh_token.slice(0, -2)}zz`
  assert.equal((await refresh(of, forged)).json.error, 'invalid_grant')
  assert.equal((await list(api, second.access_token)).status, 200, 'none of this ends the access')

  const { json: atOnce } = await refresh(of, first.refresh_token)
  assert.equal((await list(api, atOnce.access_token)).status, 200, 'two requests may renew at once')
  assert.equal((await list(api, second.access_token)).status, 200)
  await api.fixture.deps.db.query(
    `update assistant_grants set expires_at = now() + interval '30 days' - interval '11 seconds'`,
  )

  assert.equal((await refresh(of, first.refresh_token)).json.error, 'invalid_grant')
  assert.equal((await list(api, second.access_token)).status, 401)
  assert.equal((await refresh(of, second.refresh_token)).json.error, 'invalid_grant')
})

test('access ends when the person ends it, is disabled, gets another role or sets a password, and when the assistant is removed', async (t) => {
  const of = await world(t)
  const { api, admin, clientId } = of
  const users = (await admin.call('GET /demo/users')).json.data
  const { id: clerkId } = users.find(({ email }: { email: string }) => email === CLERK.email)
  const change = async (body: object) => {
    const { status, text } = await admin.call(`PATCH /demo/users/${clerkId}`, { body })
    assert.equal(status, 200, text)
  }
  const own = { password: ADMIN.password }
  const newPassword = 'seven kettles on the shelf'
  const ends: [string, (clerk: Browser) => Promise<unknown>][] = [
    [
      'the person ends it',
      async (clerk) => {
        const mine = (await clerk.call('GET /session/assistants')).json.data
        assert.deepEqual([mine.length, mine[0].name, mine[0].access], [1, 'Claude', 'read'])
        assert.equal((await admin.call(`DELETE /session/assistants/${mine[0].id}`)).status, 404)
        assert.equal((await clerk.call(`DELETE /session/assistants/${mine[0].id}`)).status, 204)
      },
    ],
    ['disabled', () => change({ disabled: true }).then(() => change({ disabled: false }))],
    [
      'another role',
      async () => {
        await change({ role: 'merchant_admin', ...own })
        await change({ role: 'store_clerk', store_references: ['fitzroy'] })
      },
    ],
    [
      'a new password',
      (clerk) =>
        clerk.call('POST /session/change-password', {
          body: { password: CLERK.password, new_password: newPassword },
        }),
    ],
    ['the assistant is removed', () => admin.call(`DELETE /demo/assistants/${clientId}`)],
  ]
  let { password } = CLERK
  for (const [what, end] of ends) {
    const clerk = await person(api, { ...CLERK, password })
    const { json } = await exchange(of, await allow(clerk, clientId, { access: 'read', password }))
    assert.equal((await list(api, json.access_token)).status, 200, what)
    await end(clerk)
    if (what === 'a new password') password = newPassword
    const reply = await list(api, json.access_token)
    assert.equal(reply.status, 401, what)
    assert.equal((await refresh(of, json.refresh_token)).json.error, 'invalid_grant', what)
  }
})

test('a 401 names the metadata by PUBLIC_URL, whatever the Host header says', async (t) => {
  const { api } = await world(t)
  const named = `resource_metadata="${OURS}/.well-known/oauth-protected-resource/demo/mcp"`
  const headers = { host: '127.0.0.1' }
  for (const token of [null, 'nonsense', 'dra_nonsense.x']) {
    const reply = await api.call('POST /demo/mcp', { token, headers, body: LIST })
    assert.equal(reply.status, 401)
    assert.ok(String(reply.headers['www-authenticate']).endsWith(named))
  }
  const metadata = await api.call('GET /.well-known/oauth-authorization-server/demo', {
    token: null,
    headers,
  })
  assert.equal(metadata.json.issuer, `${OURS}/demo`)
  assert.equal(metadata.json.token_endpoint, `${OURS}/demo/oauth/token`)
})

test('admins manage the list of assistants; redirect URLs are checked at their fields', async (t) => {
  const { api, admin, clientId } = await world(t)
  const form = { name: 'Wrong', redirect_urls: [REDIRECT, 'http://assistant.example.com/callback'] }
  const refused = await admin.call('POST /demo/assistants', { body: form })
  assert.deepEqual(
    [refused.status, refused.json.errors.map(({ field }: { field: string }) => field)],
    [422, ['redirect_urls[1]']],
  )
  const changed = await admin.call(`PATCH /demo/assistants/${clientId}`, { body: { name: 'Counter' } })
  assert.deepEqual([changed.json.data.name, changed.json.data.redirect_urls], ['Counter', [REDIRECT]])
  const listed = await admin.call('GET /demo/assistants')
  assert.deepEqual(listed.json.data, [changed.json.data])
  const clerk = await person(api, CLERK)
  assert.equal((await clerk.call('GET /demo/assistants')).status, 403)
  const made = await admin.call('POST /admin/accounts/demo/clients', {
    body: { name: 'Till', scopes: ['account'], password: ADMIN.password },
  })
  const { client_id, client_secret } = made.json.data
  const token = await api.tokenOf(client_id, client_secret)
  const body = { name: 'Claude', redirect_urls: [REDIRECT] }
  assert.equal((await api.call('POST /demo/assistants', { token, body })).json.code, 'person_required')
})

test('an assistant has one spending limit for all people who have connected it', async (t) => {
  const of = await world(t)
  const { api, admin, clientId } = of
  const { json: document } = await admin.call('GET /admin/accounts/demo')
  const assistants = { spending_limit_cents_per_day: 1 }
  const put = await admin.call('PUT /admin/accounts/demo', { body: { ...document, assistants } })
  assert.equal(put.status, 200, put.text)
  const clerk = await person(api, CLERK)
  const asClerk = { access: 'write', password: CLERK.password }
  const tokens = [
    (await tokensOf(of, { ...READ_AS_ADMIN, access: 'write' })).access_token,
    (await tokensOf({ ...of, admin: clerk }, asClerk)).access_token,
  ]
  const tool = async (token: string | undefined, name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const { json, text } = await api.call('POST /demo/mcp?tools=write', { body, token: token ?? null })
    assert.ok(json.result, text)
    return json.result.structuredContent
  }
  for (const token of tokens) {
    const { error } = await tool(token, 'plan_delivery', deliveryBody())
    assert.equal(error?.code, 'spending_limit_reached')
  }
  const spentOf = async () =>
    (await admin.call('GET /demo/assistants')).json.data.find(({ id }: { id: string }) => id === clientId)
      .mcp_spent_today_cents
  assert.equal(await spentOf(), 0)

  const enough = { spending_limit_cents_per_day: 100_000 }
  await admin.call('PUT /admin/accounts/demo', { body: { ...document, assistants: enough } })
  const spent: number[] = []
  for (const token of tokens) {
    const { confirmation, data, spending } = await tool(token, 'plan_delivery', deliveryBody())
    assert.equal(spending.spent_cents, spent[0] ?? 0)
    assert.ok((await tool(token, 'commit_delivery', { confirmation })).data)
    spent.push(data.price_cents)
  }
  assert.equal(
    await spentOf(),
    spent.reduce((total, cents) => total + cents, 0),
  )
})
