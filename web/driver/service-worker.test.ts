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
