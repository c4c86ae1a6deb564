import assert from 'node:assert/strict'
import test from 'node:test'
import { toConnection } from '../../typescript/src/client.ts'
import { type FakeFetch, fakeFetch, json, problem } from '../../typescript/src/test/fake-fetch.ts'
import { makeRelay, type Relay } from './relay.ts'

const TOKEN = json(200, { access_token: 'first', expires_in: 3_600, token_type: 'Bearer' })
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'list_stores' } }
const ANSWER = { jsonrpc: '2.0', id: 7, result: { structuredContent: {} } }

function relayTo(fetch: FakeFetch | typeof globalThis.fetch): Relay {
  const options = { baseUrl: 'http://drover.test', account: 'demo', clientId: 'c', clientSecret: 's', fetch }
  return makeRelay(toConnection(options), '/demo/mcp', () => {})
}

test('a token that Drover no longer accepts is renewed, and a busy Drover is asked again', async () => {
  const renewed = json(200, { access_token: 'second', expires_in: 3_600, token_type: 'Bearer' })
  const busy = problem(503, 'overloaded')
  const fetch = fakeFetch(TOKEN, problem(401, 'unauthorized'), renewed, busy, json(200, ANSWER))
  assert.deepEqual(JSON.parse((await relayTo(fetch)(JSON.stringify(CALL))) ?? ''), ANSWER)
  const tokens = fetch.sent
    .filter(({ url }) => url.endsWith('/mcp'))
    .map(({ headers }) => headers.authorization)
  assert.deepEqual(tokens, ['Bearer first', 'Bearer second', 'Bearer second'])
})

test('an answer that is not JSON becomes an error of JSON-RPC', async () => {
  const page = new Response('<h1>Log in</h1>', { status: 200 })
  const { id, error } = JSON.parse((await relayTo(fakeFetch(TOKEN, page))(JSON.stringify(CALL))) ?? '')
  assert.equal(id, 7)
  assert.match(error.message, /not JSON/)
})

test('the headers of Streamable HTTP follow the message', async () => {
  const version = 'io.modelcontextprotocol/protocolVersion'
  const initialized = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } }
  const fetch = fakeFetch(TOKEN, json(200, initialized), json(200, ANSWER))
  const relay = relayTo(fetch)
  const claimed = (name: string) => ({ name, _meta: { [version]: '2026-07-28' } })
  for (const message of [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
    CALL,
    { ...CALL, params: claimed('list_stores') },
    { ...CALL, params: claimed('Läden') },
  ])
    await relay(JSON.stringify(message))
  const sent = fetch.sent
    .slice(1)
    .map(({ headers }) => [headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']])
  assert.deepEqual(sent, [
    [undefined, undefined, undefined],
    ['2025-11-25', undefined, undefined],
    ['2026-07-28', 'tools/call', 'list_stores'],
    ['2026-07-28', 'tools/call', '=?base64?TMOkZGVu?='],
  ])
})

test('a cancelled call gets no answer', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const fetch = (async (url: string, { signal }: { signal: AbortSignal }) => {
    if (url.endsWith('/auth/token')) return TOKEN.clone()
    start()
    return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  }) as typeof globalThis.fetch
  const relay = relayTo(fetch)
  const answer = relay(JSON.stringify(CALL))
  await started
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
  assert.equal(await relay(JSON.stringify(cancelled)), null)
  assert.equal(await answer, null)
})
