import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'

const SOURCE = readFileSync(new URL('public/sw.js', import.meta.url), 'utf8')
const ORIGIN = 'https://drover.test'

type Asked = { request: object; respondWith(answer: Promise<Response>): void }

/** The response that a phone with a cached page gets over such a network. The test uses a fake clock. */
async function pageOver(network: () => Promise<Response>): Promise<string> {
  const cache = {
    match: async () => undefined,
    add: async () => {},
    put: async () => {},
    keys: async () => [],
  }
  let onFetch: (event: Asked) => void = () => {}
  runInNewContext(SOURCE, {
    self: {
      location: { origin: ORIGIN },
      addEventListener: (name: string, handle: (event: Asked) => void) => {
        if (name === 'fetch') onFetch = handle
      },
    },
    caches: { match: async () => new Response('kept'), open: async () => cache },
    fetch: network,
    setTimeout: (done: () => void) => setImmediate(done),
    Response,
    URL,
  })
  const request = { url: `${ORIGIN}/driver`, method: 'GET', mode: 'navigate' }
  const answer = await new Promise<Response>((done) => onFetch({ request, respondWith: done }))
  return answer.text()
}

test('the app opens from its cache when the server is unreachable, slow or failing', async () => {
  const cases: [string, () => Promise<Response>][] = [
    ['new', async () => new Response('new')],
    ['gone', async () => new Response('gone', { status: 404 })],
    ['kept', async () => new Response('trouble', { status: 503 })],
    ['kept', () => Promise.reject(new TypeError('no network'))],
    ['kept', () => new Promise(() => {})],
  ]
  for (const [page, network] of cases) assert.equal(await pageOver(network), page)
})

test('an update removes the files that the server no longer has, and no others', async () => {
  const cached = new Map([['/driver', '<script src="/driver/assets/app-1.js">']])
  for (const name of ['app-1', 'map-1', 'scanner-1']) cached.set(`/driver/assets/${name}.js`, '')
  const onServer = ['app-2', 'map-1'].map((name) => `/driver/assets/${name}.js`)
  const cache = {
    match: async (path: string) => (cached.has(path) ? new Response(cached.get(path)) : undefined),
    add: async (path: string) => cached.set(path, ''),
    put: async (path: string, response: Response) => cached.set(path, await response.text()),
    keys: async () => [...cached.keys()].map((path) => ({ url: `${ORIGIN}${path}` })),
    delete: async (url: string) => cached.delete(new URL(url).pathname),
  }
  let installed: Promise<void> | undefined
  runInNewContext(SOURCE, {
    self: {
      addEventListener: (name: string, handle: (event: { waitUntil(done: Promise<void>): void }) => void) => {
        if (name === 'install') handle({ waitUntil: (done) => (installed = done) })
      },
      skipWaiting: () => {},
    },
    caches: { open: async () => cache },
    fetch: async (path: string) => {
      if (path === '/driver') return new Response('<script src="/driver/assets/app-2.js">')
      return new Response(null, { status: onServer.includes(new URL(path).pathname) ? 200 : 404 })
    },
    Response,
    URL,
  })
  await installed
  assert.deepEqual([...cached.keys()].sort(), ['/driver', ...onServer])
})
