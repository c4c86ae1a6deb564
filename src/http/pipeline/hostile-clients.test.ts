import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type Api, apiOf, deliveryBody, quoteBody, testApi, usedBy } from '../../../test/api.ts'
import { until } from '../../../test/wait-until.ts'
import { batchedCreate } from '../../store/creates/batched-create.ts'
import { makePool } from '../../store/db/pool.ts'
import { batchedFind } from '../../store/deliveries/deliveries.ts'
import { findRefusal } from '../contract/problem.ts'

async function listening(t: TestContext): Promise<Api & { port: number; token: string }> {
  const api = await testApi(t, { work: false })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as { port: number }
  return { ...api, port, token: await api.tokenOf('demo-client', 'demo-secret') }
}

/**
 * Writes, and returns everything received until the other side closed the connection, or sent `expected` and was silent
 * for a while.
 */
function sendText(port: number, text: string, expected: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.setTimeout(60_000, () => socket.destroy())
    socket.on('data', (data) => {
      received += data.toString('latin1')
      if (expected.test(received)) socket.setTimeout(1_000)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

function hangUpAfter(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setTimeout(50, () => socket.destroy())
    socket.on('close', () => resolve())
  })
}

test('malformed HTTP gets a response and crashes nothing', async (t) => {
  const { port, token, call } = await listening(t)
  const QUOTE = 'POST /demo/deliveries/quote-next-available HTTP/1.1\r\nhost: x\r\n'
  const bearer = `authorization: Bearer ${token}\r\n`
  const json = 'content-type: application/json\r\n'
  const body = JSON.stringify(quoteBody)
  const cases: [name: string, text: string, status: RegExp][] = [
    ['no HTTP at all', 'hello there\r\n\r\n', / 400 /],
    [
      'a header of 20 kB',
      `GET /health/live HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      / 431 [\s\S]*"code":"headers_too_large"/,
    ],
    ['two lengths', `${QUOTE}${bearer}${json}content-length: 5\r\ncontent-length: 6\r\n\r\n{"a":1}`, / 400 /],
    [
      'length and chunks',
      `${QUOTE}${bearer}${json}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      / 400 /,
    ],
    ['a bad chunk', `${QUOTE}${bearer}${json}transfer-encoding: chunked\r\n\r\nzz\r\n`, / 400 /],
    ['a huge length without a body', `${QUOTE}${bearer}${json}content-length: 99999999999\r\n\r\n`, / 413 /],
    ['a length that is not a number', `${QUOTE}${bearer}${json}content-length: ten\r\n\r\n`, / 400 /],
    ['a null in the address', 'GET /demo/\0 HTTP/1.1\r\nhost: x\r\n\r\n', / 400 /],
    [
      'an absolute address',
      `GET http://elsewhere/health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      / (200|400|404) /,
    ],
    ['TRACE', 'TRACE /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', / (404|405) /],
    ['a made-up method', 'BREW /health/live HTTP/1.1\r\nhost: x\r\n\r\n', / 400 /],
    [
      'no host',
      'GET /health/live HTTP/1.1\r\nconnection: close\r\n\r\n',
      / 400 [\s\S]*problem\+json[\s\S]*no Host header/,
    ],
    [
      'two hosts',
      'GET /health/live HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n',
      / 400 [\s\S]*problem\+json[\s\S]*more than one Host header/,
    ],
    [
      'the same host twice',
      'GET /health/live HTTP/1.0\r\nhost: x\r\nhost: x\r\n\r\n',
      / 400 [\s\S]*more than one Host header/,
    ],
    ['no Host header in HTTP/1.0, which needs none', 'GET /health/live HTTP/1.0\r\n\r\n', / 200 /],
    [
      'an expectation of anything',
      'GET /health/live HTTP/1.1\r\nhost: x\r\nexpect: anything\r\nconnection: close\r\n\r\n',
      / 200 /,
    ],
    [
      'two requests at once',
      `${QUOTE}${bearer}${json}content-length: ${body.length}\r\n\r\n${body}GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      / 200 [\s\S]* 200 /,
    ],
  ]
  for (const [name, text, status] of cases) {
    const received = await sendText(port, text, status)
    assert.match(received, status, `${name}: ${received.slice(0, 200)}`)
    assert.doesNotMatch(received, /HTTP\/1.1 5\d\d/, name)
    assert.doesNotMatch(received, /node_modules|at .*\.ts:/, name)
    assert.match(received, /\r\nx-request-id: \S/i, name)
  }
  assert.equal((await call('GET /health/live')).status, 200, 'and goes on')
})

test('the server reads a body that is far too large so that its rejection arrives', async (t) => {
  const { port, token } = await listening(t)
  const body = 'x'.repeat(4 * 1024 * 1024)
  const head = `POST /demo/deliveries HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  const next = 'GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  for (const sent of [
    `content-length: ${body.length}\r\n\r\n${body}`,
    `transfer-encoding: chunked\r\n\r\n${chunk}`,
  ]) {
    const both = / 413 [\s\S]* 200 /
    assert.match(await sendText(port, head + sent + next, both), both)
  }
})

test('callers that close the connection midway leave nothing behind', async (t) => {
  const { port, token, call, app } = await listening(t)
  const head = `POST /demo/deliveries HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"reference":`
  await Promise.all(Array.from({ length: 100 }, () => hangUpAfter(port, head)))
  const { json } = await call('GET /demo/deliveries')
  assert.deepEqual(json.data, [])
  const open = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
  await until(async () => (await open()) <= 1, 'all other connections are closed')
})

test('a head has 10 s, a photo of the largest size 764 s, an idle connection 65 s', async (t) => {
  const { app } = await listening(t)
  assert.equal(Math.round(app.server.requestTimeout / 1_000), 764)
  assert.equal(app.server.headersTimeout, 10_000)
  assert.equal(app.server.keepAliveTimeout, 65_000)
})

test('a caller that sends head or body byte by byte is cut off, and nothing is created', async (t) => {
  const { port, token, call, app } = await listening(t)
  app.server.requestTimeout = 100
  app.server.headersTimeout = 50
  const head = 'POST /demo/deliveries HTTP/1.1\r\nhost: x\r\n'
  const rest = `authorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n`
  const cases = [
    ['nothing', ''],
    ['half a head', `${head}x: `],
    ['half a body', `${head}${rest}{"reference":"`],
  ] as const
  await Promise.all(
    cases.map(async ([name, beginning]) => {
      const received = await sendSlowly(port, beginning)
      assert.match(received, /^HTTP\/1.1 408 /, name)
      assert.match(received, /\r\nconnection: close\r\n/i, name)
      assert.match(received, /"code":"request_timeout"/, name)
    }),
  )
  assert.deepEqual((await call('GET /demo/deliveries')).json.data, [])
})

/** Sends the beginning, then one character at a time while the connection is open, and returns what was received. */
function sendSlowly(port: number, beginning: string): Promise<string> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    // Before the connection stands, a character would go out ahead of the beginning.
    const socket = connect(port, '127.0.0.1', () => {
      if (beginning === '') return
      socket.write(beginning)
      timer = setInterval(() => socket.write('x'), 10)
    })
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve(received)
    })
  })
}

test('an unexpected error gets 500 with the request id and no detail', async (t) => {
  const { call, fixture } = await testApi(t, { work: false })
  t.mock.method(fixture.deps.accounts, 'nowMs', () => {
    throw new Error('secret detail in /home/somebody')
  })
  const reply = await call('GET /admin/accounts', {
    token: 'test-operator',
    headers: { 'x-request-id': 'my-id.1' },
  })
  assert.equal(reply.status, 500)
  assert.equal(reply.json.request_id, 'my-id.1')
  assert.equal(reply.headers['x-request-id'], 'my-id.1')
  assert.doesNotMatch(reply.text, /secret|somebody|stack/)
})

test('the response repeats the caller’s request id if it is safe', async (t) => {
  const { call } = await testApi(t, { work: false })
  for (const id of ['a', 'A1._-', 'x'.repeat(128)]) {
    assert.equal(
      (await call('GET /health/live', { headers: { 'x-request-id': id } })).headers['x-request-id'],
      id,
    )
  }
  for (const id of ['', 'a b', 'x'.repeat(129), 'a;b', 'ü']) {
    const requestId = (await call('GET /health/live', { headers: { 'x-request-id': id } })).headers[
      'x-request-id'
    ]
    assert.notEqual(requestId, id)
    assert.match(String(requestId), /^req_[A-Za-z0-9._-]+$/)
  }
})

test('without the database reads and writes get 503, quotes continue', async (t) => {
  const { call: alive, fixture } = await testApi(t, { work: false })
  const created = await alive('POST /demo/deliveries', { body: deliveryBody() })
  const db = makePool('postgres://nobody@127.0.0.1:1/away', { max: 5, applicationName: 'away' })
  t.after(() => db.end())
  const deps = { ...fixture.deps, db, createDelivery: batchedCreate(db), findDelivery: batchedFind(db) }
  const app = apiOf({ ...fixture, deps })
  t.after(() => app.close())
  const { call } = await usedBy(app, fixture)
  for (const line of [
    'GET /demo/deliveries',
    `GET /demo/deliveries/${created.json.data.id}`,
    'POST /demo/deliveries',
  ]) {
    const reply = await call(line, line.startsWith('POST') ? { body: deliveryBody() } : {})
    assert.equal(reply.status, 503, line)
    assert.equal(reply.json.code, 'service_unavailable')
    assert.ok(Number(reply.headers['retry-after']) >= 1)
    assert.doesNotMatch(reply.text, /away|connect|127\.0/)
  }
  assert.equal((await call('POST /demo/deliveries/quote-next-available', { body: quoteBody })).status, 200)
})

test('a full disk gets 503, and the response says so', () => {
  const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  const refusal = findRefusal(full)
  assert.equal(refusal?.code, 'service_unavailable')
  assert.match(refusal?.message ?? '', /disk is full/)
})
