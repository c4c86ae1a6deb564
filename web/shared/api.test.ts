import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type FakeFetch, fakeFetch, json, problem } from '../../clients/typescript/src/test/fake-fetch.ts'
import { api, request, versionOf, withTimeLimit } from './api.ts'
import { Problem } from './problem.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const path = { tenant_id: 'demo' }
const labels = { params: { path }, body: { delivery_ids: ['dlv_1'] } }
const cut = new TypeError('Failed to fetch')

/** The browser's `fetch`, with these answers in order and the last one for ever. */
function answering(t: TestContext, ...answers: (Response | Error)[]): FakeFetch {
  const fake = fakeFetch(...answers)
  t.mock.method(globalThis, 'fetch', fake)
  return fake
}

async function failure(asked: Promise<unknown>): Promise<Problem> {
  const error = await asked.then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(error instanceof Problem, `${error}`)
  return error
}

test('a call sends its path, query and headers to this origin, without a token', async (t) => {
  const { sent } = answering(t, json(200, { data: [] }, JSON_TYPE))
  const one = { ...path, delivery_id_or_reference: 'WC 10/471?' }
  await api.GET('/{tenant_id}/deliveries/{delivery_id_or_reference}', { params: { path: one } })
  const query = { status: 'booked', q: 'A & B', limit: 5 } as const
  await api.GET('/{tenant_id}/deliveries', { params: { path, query } })
  const header = { 'Link-Session': 'session' }
  await api.GET('/l/{token}/options', { params: { path: { token: 't' }, header } })
  assert.deepEqual(
    sent.map(({ url }) => url),
    ['/demo/deliveries/WC%2010%2F471%3F', '/demo/deliveries?status=booked&q=A+%26+B&limit=5', '/l/t/options'],
  )
  assert.equal(sent[2]?.headers['Link-Session'], 'session')
  for (const { headers } of sent)
    assert.equal('authorization' in headers || 'idempotency-key' in headers, false)
})

test('JSON is read, a document is a file, and an empty response is undefined', async (t) => {
  const pdf = new Response('%PDF', { headers: { 'content-type': 'application/pdf' } })
  const versioned = json(200, { tenant_id: 'demo' }, { ...JSON_TYPE, etag: '"12"' })
  answering(t, versioned, pdf, new Response(null, { status: 204 }))
  const answer = await request('get', '/admin/accounts/{tenant_id}', { params: { path } })
  assert.deepEqual([answer.data, versionOf(answer)], [{ tenant_id: 'demo' }, 12])
  const file = await api.POST('/{tenant_id}/deliveries/labels', labels)
  assert.deepEqual([file.type, await file.text()], ['application/pdf', '%PDF'])
  assert.equal(await api.DELETE('/session'), undefined)
})

test('a file is sent as it is, with the media type of the API', async (t) => {
  const { sent } = answering(t, json(200, { data: {} }, JSON_TYPE))
  const file = new File(['<svg/>'], 'logo.svg', { type: 'image/svg' })
  const init = { params: { path }, body: file, contentType: 'image/svg+xml' as const }
  await api.POST('/admin/accounts/{tenant_id}/logo', init)
  assert.equal(sent[0]?.body as unknown, file)
  assert.equal(sent[0]?.headers['content-type'], 'image/svg+xml')
})

test('an error response is a Problem with its code, its fields and its `Retry-After`', async (t) => {
  const errors = [{ field: 'name', message: 'A name must not be empty.' }]
  const body = { code: 'invalid_request', detail: 'Check the fields.', errors, request_id: 'req_1' }
  answering(
    t,
    json(422, body),
    problem(429, 'rate_limited', { 'retry-after': '3600' }),
    new Response('<h1>', { status: 503 }),
  )
  const wrong = await failure(api.GET('/session'))
  assert.deepEqual(
    [wrong.status, wrong.code, wrong.message, wrong.errors, wrong.requestId],
    [422, 'invalid_request', 'Check the fields.', errors, 'req_1'],
  )
  assert.equal((await failure(api.GET('/session'))).retryAfterSeconds, 3_600)
  const proxy = await failure(api.GET('/session'))
  assert.deepEqual(
    [proxy.status, proxy.code, proxy.message],
    [503, 'unknown', 'We can’t reach our database. Nothing you did before is lost.'],
  )
})

const note = { params: { path: { ...path, link_id: 'lnk_1' } } }
const LOST = [
  {
    name: 'a read',
    call: () => api.GET('/session'),
    text: /^There was no response\. Check your internet connection\.$/,
  },
  {
    name: 'a request for labels',
    call: () => api.POST('/{tenant_id}/deliveries/labels', labels),
    text: /online/,
  },
  {
    name: 'a change',
    call: () => api.POST('/{tenant_id}/links/{link_id}/send', note),
    text: /Check before you try again/,
  },
] as const

for (const { name, call, text } of LOST) {
  test(`${name} without a response is sent once, and the message says what to do`, async (t) => {
    const { sent } = answering(t, cut)
    const { status, code, message } = await failure(call())
    assert.deepEqual([status, code, sent.length], [0, 'no_connection', 1])
    assert.match(message, text)
  })
}

test('a change with a key is retried twice under this key, then may be tried again', async (t) => {
  const { sent } = answering(t, cut)
  const send = () => api.POST('/{tenant_id}/links/{link_id}/send', { ...note, idempotencyKey: 'press-1' })
  assert.match((await failure(send())).message, /it won’t be done twice/)
  assert.deepEqual(
    sent.map(({ headers }) => headers['idempotency-key']),
    ['press-1', 'press-1', 'press-1'],
  )
  const recovered = answering(t, cut, json(200, { data: {} }, JSON_TYPE))
  await send()
  assert.equal(recovered.sent.length, 2)
})

test('a change is not retried if `Retry-After` is over 5 s: the person reads the reason at once', async (t) => {
  const { sent } = answering(t, problem(429, 'rate_limited', { 'retry-after': '45' }))
  const asked = api.POST('/{tenant_id}/links/{link_id}/send', { ...note, idempotencyKey: 'press-1' })
  assert.equal((await failure(asked)).retryAfterSeconds, 45)
  assert.equal(sent.length, 1)
})

test('a response after the time limit counts as lost', async (t) => {
  const never = (_: string, { signal }: RequestInit) =>
    new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))
  t.mock.method(globalThis, 'fetch', never as typeof fetch)
  const { status } = await failure(api.GET('/driver/jobs', { timeoutMs: 20 }))
  assert.equal(status, 0)
})

test('a change that a dialog waits for ends after its time limit, with an unknown outcome', async () => {
  assert.equal((await failure(withTimeLimit(new Promise(() => {}), 20))).status, 0)
  assert.equal(await withTimeLimit(Promise.resolve('done'), 20), 'done')
})
