import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { FetchFailure, publicFetch } from './public-fetch.ts'

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function fetching(t: TestContext, options: Partial<Parameters<typeof publicFetch>[0]> = {}) {
  const { call, close } = publicFetch({ allowLoopback: false, ...options })
  t.after(close)
  return (url: string) => call(url, { method: 'GET', headers: {} })
}

const failing = (reason: FetchFailure['reason']) => (error: unknown) =>
  error instanceof FetchFailure && error.reason === reason && !error.message.includes('127')

test('private addresses, plain HTTP and names that resolve to private addresses are not called', async (t) => {
  let calls = 0
  const url = await serve(t, (_, response) => {
    calls++
    response.end()
  })
  const { port } = new URL(url)
  const call = fetching(t, {
    lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  })
  const refused = [
    url,
    `https://127.0.0.1:${port}/`,
    'https://10.0.0.8/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://login.internal/',
    'http://login.acme.example/',
    `https://login.acme.example:${port}/`,
  ]
  for (const one of refused) await assert.rejects(call(one), failing('not_public'), one)
  assert.equal(calls, 0)
  const local = fetching(t, { allowLoopback: true })
  assert.equal((await local(url)).status, 200)
  await assert.rejects(local('http://10.0.0.8/'), failing('not_public'), 'only this machine itself')
})

test('an answer is bounded in size and time, and a redirect is not followed', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/long') response.end('x'.repeat(256 * 1024 + 1))
    else if (request.url === '/there') response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
    else if (request.url === '/fits') response.end('x'.repeat(256 * 1024))
    else response.write('a beginning')
  })
  const call = fetching(t, { allowLoopback: true, timeoutMs: 300 })
  await assert.rejects(call(`${url}/long`), failing('too_large'))
  await assert.rejects(call(`${url}/slow`), failing('timed_out'))
  assert.equal((await call(`${url}/fits`)).status, 200)
  assert.equal((await call(`${url}/there`)).status, 302)
  await assert.rejects(call('http://127.0.0.1:1/'), failing('unreachable'))
})
