import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type WebhookPostOptions, webhookPost } from './webhook-post.ts'

test('a response has its status, its Retry-After and the beginning of its body', async (t) => {
  const url = await serverOf(t, (request, response) => {
    assert.equal(request.method, 'POST')
    response.writeHead(503, { 'retry-after': '120' }).end(`no\u0000\n${'x'.repeat(500)}`)
  })
  const answer = await poster(t, { allowPrivate: true })(url, { 'webhook-id': 'evt_1' }, '{}')
  assert.deepEqual(answer, {
    kind: 'answered',
    status: 503,
    retryAfter: '120',
    excerpt: `no ${'x'.repeat(197)}`,
  })
})

test('redirects are not followed', async (t) => {
  let inside = 0
  const target = await serverOf(t, (_, response) => {
    inside += 1
    response.end()
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const url = await serverOf(t, (_, response) => response.writeHead(status, { location: target }).end())
    const answer = await poster(t, { allowPrivate: true })(url, {}, '{}')
    assert.equal(answer.kind === 'answered' && answer.status, status)
  }
  assert.equal(inside, 0)
})

test('a receiver that is silent, slow or endless is dropped at the time-out', async (t) => {
  const post = poster(t, { allowPrivate: true, timeoutMs: 400 })
  // A longer time-out, for servers whose response headers must arrive before it.
  const patient = poster(t, { allowPrivate: true, timeoutMs: 5_000 })
  const silent = await serverOf(t, () => {})
  assert.deepEqual(await timed(post(silent, {}, '{}')), {
    kind: 'failed',
    message: 'No answer within 0.4 s.',
  })
  const dripping = await serverOf(t, (_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const dripped = await timed(patient(dripping, {}, '{}'))
  assert.equal(dripped.kind === 'answered' && dripped.status, 200, 'the status was told in time')
  let sent = 0
  const endless = await serverOf(t, (_, response) => {
    response.writeHead(200)
    const flood = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384, 'y'))) sent += 16_384
    }
    response.on('drain', flood)
    flood()
  })
  const flooded = await timed(patient(endless, {}, '{}'))
  assert.equal(flooded.kind === 'answered' && flooded.excerpt.length, 200)
  assert.ok(sent < 20_000_000, 'not read to no end')
  const headless = createTcpServer((socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: '.padEnd(40_000, 'a')))
  const { port } = await listening(t, headless as unknown as Server)
  assert.equal((await timed(post(`http://127.0.0.1:${port}/`, {}, '{}'))).kind, 'failed')
  assert.equal((await post('http://127.0.0.1:9/', {}, '{}')).kind, 'failed')
})

test('literal internal addresses are not called, whatever URL was stored', async (t) => {
  const { port, hits } = await trap(t)
  const post = poster(t, { allowPrivate: false })
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '0',
  ]
  for (const host of hosts) {
    for (const scheme of ['http', 'https']) {
      const answer = await post(`${scheme}://${host}:${port}/`, {}, '{}')
      assert.deepEqual(
        answer,
        { kind: 'failed', message: 'Its address is not on the public internet.' },
        host,
      )
    }
  }
  assert.equal(hits(), 0)
})

test('a name that resolves to an internal address is not called, even beside a public one', async (t) => {
  const { port, hits } = await trap(t)
  const cases: LookupAddress[][] = [
    [{ address: '127.0.0.1', family: 4 }],
    [{ address: '::1', family: 6 }],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [{ address: '169.254.169.254', family: 4 }],
    [
      { address: '192.0.2.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
    [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ],
  ]
  for (const addresses of cases) {
    const lookup: WebhookPostOptions['lookup'] = (_, __, done) => done(null, addresses)
    const answer = await poster(t, { allowPrivate: false, lookup })(
      `http://hooks.example.com:${port}/`,
      {},
      '{}',
    )
    assert.deepEqual(answer, { kind: 'failed', message: 'Its address is not on the public internet.' })
  }
  assert.equal(hits(), 0)
})

test('DNS rebinding: a name that resolves differently the second time gains nothing', async (t) => {
  const { port, hits } = await trap(t)
  let asked = 0
  // DNS rebinding: a public address at the check, an internal one at the connection.
  const lookup: WebhookPostOptions['lookup'] = (_, __, done) => {
    asked += 1
    done(null, [
      asked % 2 === 1 ? { address: '203.0.114.1', family: 4 } : { address: '127.0.0.1', family: 4 },
    ])
  }
  const post = poster(t, { allowPrivate: false, lookup, timeoutMs: 300 })
  for (let attempt = 0; attempt < 4; attempt++) {
    assert.equal((await post(`http://rebind.example.com:${port}/`, {}, '{}')).kind, 'failed')
  }
  assert.equal(asked, 4, 'one answer is checked and used; nobody asks twice')
  assert.equal(hits(), 0)
})

function poster(t: TestContext, options: WebhookPostOptions) {
  const { post, close } = webhookPost(options)
  t.after(close)
  return post
}

async function timed<T>(work: Promise<T>): Promise<T> {
  const startMs = performance.now()
  const result = await work
  assert.ok(performance.now() - startMs < 20_000, 'it took too long')
  return result
}

async function serverOf(t: TestContext, listener: RequestListener): Promise<string> {
  const { port } = await listening(t, createServer(listener))
  return `http://127.0.0.1:${port}/hook`
}

/** A service of ours that must not be reachable from outside. */
async function trap(t: TestContext) {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const { port } = await listening(t, server as unknown as Server)
  return { port, hits: () => connections }
}

async function listening(t: TestContext, server: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, resolve))
  t.after(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return server.address() as AddressInfo
}
