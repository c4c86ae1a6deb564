import assert from 'node:assert/strict'
import test from 'node:test'
import { OPERATOR, testApi } from '../../../test/api.ts'
import { allEndpoints } from '../api/endpoints.ts'
import { PAGE_ADDRESSES } from '../pages/serve-pages.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

test('OPTIONS lists the methods of each path without a token, and a 405 lists the same', async (t) => {
  const { app, tokenOf } = await testApi(t, { work: false })
  const token = await tokenOf('demo-client', 'demo-secret')
  const urls = [...new Set([...allEndpoints(), ...PAGE_ADDRESSES].map(({ url }) => url))]
  assert.ok(urls.length > 100)
  for (const pattern of urls) {
    const url = pattern
      .replace(':tenant_id', 'demo')
      .replace(/:[a-z_]+/g, 'one')
      .replace('*', 'some/page')
    const reply = await app.inject({ method: 'OPTIONS', url })
    assert.deepEqual([reply.statusCode, reply.body], [204, ''], url)
    const allowed = String(reply.headers.allow).split(', ')
    assert.ok(allowed.includes('OPTIONS'), url)
    const authorization = `Bearer ${url.startsWith('/admin') ? OPERATOR : token}`
    for (const method of METHODS) {
      // An unknown media type: each request is rejected at its body at the latest, and changes nothing.
      const body = method === 'GET' || method === 'HEAD' ? {} : { payload: 'x' }
      const headers = { authorization, ...(body.payload && { 'content-type': 'text/none' }) }
      const { statusCode, headers: sent } = await app.inject({ method, url, headers, ...body })
      assert.equal(
        statusCode !== 405,
        allowed.includes(method),
        `${method} ${url}: ${statusCode}, ${allowed}`,
      )
      if (statusCode === 405) assert.equal(sent.allow, reply.headers.allow, `${method} ${url}`)
    }
  }
})

test('OPTIONS of an unknown path is rejected like every other method there', async (t) => {
  const { call } = await testApi(t, { work: false })
  assert.equal((await call('OPTIONS /demo/nothing')).status, 404)
  assert.equal((await call('OPTIONS /demo/nothing', { token: null })).status, 401)
})
