import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildWeb } from '../../../scripts/build-web.ts'
import { testApi } from '../../../test/api.ts'

test('each app serves its page at its paths, with a policy that allows only our files', async (t) => {
  await buildWeb()
  const { app } = await testApi(t, { work: false })
  for (const url of ['/portal', '/portal/fitzroy/deliveries', '/driver']) {
    const reply = await app.inject({ url })
    assert.equal(reply.statusCode, 200, url)
    assert.match(String(reply.headers['content-type']), /^text\/html/, url)
    const policy = String(reply.headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe|\*/)
    assert.doesNotMatch(reply.body, /<script(?![^>]* src=)|<style|style=|\son[a-z]+=/i, url)
    assert.equal(reply.headers['cache-control'], 'no-cache')
    const again = await app.inject({ url, headers: { 'if-none-match': String(reply.headers.etag) } })
    assert.equal(again.statusCode, 304)
  }
})

test('files with a hash in their name are cached for good and compressed where the client accepts it', async (t) => {
  await buildWeb()
  const { app } = await testApi(t, { work: false })
  const script = /src="([^"]+)"/.exec((await app.inject({ url: '/portal' })).body)?.[1] as string
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const reply = await app.inject({ url: script, headers: { 'accept-encoding': accepted } })
    assert.equal(reply.headers['content-encoding'], encoding, accepted)
    assert.match(String(reply.headers['cache-control']), /immutable/)
    assert.equal(Number(reply.headers['content-length']), reply.rawPayload.length)
  }
})

test('a path outside the built files is not found', async (t) => {
  await buildWeb()
  const { app } = await testApi(t, { work: false })
  const tries = [
    '/portal/assets/none.js',
    '/l/assets/..%2f..%2fmade-of',
    '/portal/assets/%2e%2e%2findex.html',
  ]
  for (const url of tries) assert.equal((await app.inject({ url })).statusCode, 404, url)
  const climbing = await app.inject({ url: '/portal/..%2f..%2f..%2fpackage.json' })
  assert.doesNotMatch(climbing.body, /devDependencies/)
  assert.equal((await app.inject({ method: 'POST', url: '/portal' })).statusCode, 405)
})

test('each app lists its licences, fonts too, and the portal links to them', async (t) => {
  await buildWeb()
  const { app } = await testApi(t, { work: false })
  for (const [base, names] of [
    ['/portal', ['react ', '@mantine/core ', '@fontsource-variable/archivo ']],
    ['/driver', ['react ', '@fontsource-variable/atkinson-hyperlegible-mono ']],
    ['/track', ['react ']],
    ['/l', ['react ']],
  ] as const) {
    const reply = await app.inject({ url: `${base}/licences.txt` })
    assert.equal(reply.statusCode, 200, base)
    assert.match(String(reply.headers['content-type']), /^text\/plain/)
    for (const name of names) assert.ok(reply.body.includes(`\n${name}`), `${base}: ${name}`)
    assert.match(reply.body, /SIL OPEN FONT LICENSE/i)
    assert.match(reply.body, /Permission is hereby granted, free of charge/)
  }
})

test('the first load of each app is under 200 kB of compressed script', async (t) => {
  await buildWeb()
  const { app } = await testApi(t, { work: false })
  for (const url of ['/portal', '/driver', '/l/abc', '/track/abc']) {
    const { body } = await app.inject({ url, headers: { accept: 'text/html' } })
    const scripts = [...body.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path as string)
    assert.ok(scripts.length > 0, url)
    const replies = await Promise.all(
      scripts.map((path) => app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } })),
    )
    const bytes = replies.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)
    assert.ok(bytes < 200_000, `${url}: ${bytes}`)
  }
})
