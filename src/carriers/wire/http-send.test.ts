import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { CarrierRequest, Send } from '../port/send.ts'
import { outbound } from './http-send.ts'

const ask: CarrierRequest = { method: 'POST', path: '/x', headers: { 'x-key': 'k' }, body: { a: 1 } }

test('a request is sent unchanged, and its response is read as JSON, text or bytes', async (t) => {
  const requests: string[] = []
  const send = await wire(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    requests.push(
      `${request.method} ${request.url} ${request.headers['content-type']} ${request.headers['x-key']} ${Buffer.concat(chunks)}`,
    )
    response.writeHead(200).end(request.url === '/base/text' ? 'plain' : '{"ok":true}')
  })
  assert.deepEqual(await send(ask), { kind: 'answered', status: 200, body: { ok: true } })
  assert.deepEqual(await send({ ...ask, path: '/text', body: undefined }), {
    kind: 'answered',
    status: 200,
    body: 'plain',
  })
  const form = await send({ ...ask, body: new URLSearchParams({ a: '1' }), accept: 'bytes' })
  assert.ok(form.kind === 'answered' && Buffer.isBuffer(form.body))
  assert.deepEqual(requests, [
    'POST /base/x application/json k {"a":1}',
    'POST /base/text undefined k ',
    'POST /base/x application/x-www-form-urlencoded k a=1',
  ])
})

test('a failed connection is not_sent; a failure after sending is no_answer', async (t) => {
  const cut = await wire(t, (request) => request.socket.destroy())
  const half = await wire(t, (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"a"')
    setImmediate(() => request.socket.destroy())
  })
  const silent = await wire(t, () => {}, 200)
  const out = outbound({ allowLoopback: true })
  t.after(() => out.close())
  // A port without a listener.
  const refused = await out.to({ api: 'http://127.0.0.1:9' }, 2_000)(ask)
  assert.deepEqual(
    [refused.kind, (await cut(ask)).kind, (await half(ask)).kind],
    ['not_sent', 'no_answer', 'no_answer'],
  )
  assert.deepEqual(await silent(ask), { kind: 'no_answer', message: 'no answer within 0.2 s' })
})

test('JSON of a million values is not parsed; a 20 MB file is read', async (t) => {
  const many = await wire(t, (_, response) => response.end(`[${'1,'.repeat(1_000_000)}1]`))
  assert.deepEqual(await many(ask), {
    kind: 'no_answer',
    message: 'its answer had too many values, or was nested too deeply',
  })
  const file = Buffer.alloc(20 * 1024 * 1024, '[')
  const paper = await wire(t, (_, response) => response.end(file), 10_000)
  const answer = await paper({ ...ask, accept: 'bytes' })
  assert.ok(answer.kind === 'answered' && (answer.body as Buffer).length === file.length)
})

test('an endless response is cut at 4 MB, a slow one at the time-out: the outcome is unknown', async (t) => {
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  let written = 0
  const hungUp = Promise.withResolvers<void>()
  const endless = await wire(
    t,
    async (_, response) => {
      response.on('close', hungUp.resolve)
      while (!response.destroyed) {
        written += chunk.length
        if (!response.write(chunk)) await Promise.race([once(response, 'drain'), hungUp.promise])
      }
    },
    60_000,
  )
  assert.deepEqual(await endless(ask), { kind: 'no_answer', message: 'its answer was over 4194304 bytes' })
  await hungUp.promise
  assert.ok(written < 32 * 1024 * 1024, `${written} bytes were taken`)

  const dripping = await wire(
    t,
    (_, response) => {
      const drops = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(drops))
    },
    200,
  )
  assert.deepEqual(await dripping(ask), { kind: 'no_answer', message: 'no answer within 0.2 s' })
})

test('redirects are returned, not followed', async (t) => {
  let inside = 0
  const target = await serverOf(t, (_, response) => {
    inside += 1
    response.end()
  })
  const send = await wire(t, (_, response) => response.writeHead(302, { location: target }).end())
  const answer = await send(ask)
  assert.deepEqual([answer.kind === 'answered' && answer.status, inside], [302, 0])
})

test('only public hosts over https are called, unless fakes are allowed', async (t) => {
  const outside = outbound({ allowLoopback: false })
  const developing = outbound({ allowLoopback: true })
  t.after(async () => {
    await outside.close()
    await developing.close()
  })
  const cases = [
    ['http://127.0.0.1:9', outside],
    ['http://example.com', outside],
    ['https://10.0.0.1', outside],
    ['https://localhost', outside],
    ['https://169.254.169.254', outside],
    ['https://[::1]', outside],
    ['http://10.0.0.1', developing],
    ['https://192.168.0.1', developing],
    ['http://example.com', developing],
    ['no address', developing],
  ] as const
  for (const [url, out] of cases) {
    const answer = await out.to({ api: url }, 1_000)(ask)
    assert.equal(answer.kind, 'not_sent', url)
    assert.match(answer.kind === 'not_sent' ? answer.message : '', /its address/, url)
    const whole = await out.to({ api: 'https://example.com' }, 1_000)({ ...ask, path: `${url}/label.pdf` })
    if (url.startsWith('http')) assert.equal(whole.kind, 'not_sent', `${url} as a link`)
  }
})

async function wire(t: TestContext, answer: RequestListener, timeoutMs = 5_000): Promise<Send> {
  const out = outbound({ allowLoopback: true })
  t.after(() => out.close())
  return out.to({ api: `${await serverOf(t, answer)}/base` }, timeoutMs)
}

async function serverOf(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
