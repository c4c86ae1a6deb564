import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUrlMistake, serversOf, toServerUrls } from './servers.ts'

test('a URL with several hosts becomes one URL for each', () => {
  for (const [url, urls] of [
    ['postgres://u:p@a:5432/d', ['postgres://u:p@a:5432/d']],
    ['postgres://u:p@a:5432,b/d', ['postgres://u:p@a:5432/d', 'postgres://u:p@b/d']],
    ['postgresql://a,b:1/d?x=1', ['postgresql://a/d?x=1', 'postgresql://b:1/d?x=1']],
    ['postgres://u:p,q@[::1]:1,b/d', ['postgres://u:p,q@[::1]:1/d', 'postgres://u:p,q@b/d']],
    ['postgres:///d?host=/tmp', ['postgres:///d?host=/tmp']],
  ] as const) {
    assert.deepEqual(toServerUrls(url), urls)
    assert.equal(findUrlMistake(url), null, url)
  }
})

test('a URL that names no server, or the wrong role, is rejected', () => {
  for (const url of ['mysql://a/d', 'a', '', 'postgres://a,,b/d', 'postgres://a:x,b/d', 'postgres://a,/d']) {
    assert.equal(findUrlMistake(url), 'form', url)
  }
  assert.equal(findUrlMistake('postgres://a,b/d?target_session_attrs=standby'), 'role')
  assert.equal(findUrlMistake('postgres://a,b/d?target_session_attrs=read-write'), null)
})

test('after a failure the next server is tried, once for all connections that failed', () => {
  const servers = serversOf('postgres://a,b,c/d')
  const first = servers.url()
  servers.leave(first)
  servers.leave(first)
  assert.equal(servers.url(), 'postgres://b/d')
  servers.leave('postgres://b/d')
  servers.leave('postgres://c/d')
  assert.equal(servers.url(), first)
})

test('of several servers only one with the role is used; a single one is, unless its URL asks for a role', () => {
  const standby = { isStandby: true }
  const primary = { isStandby: false }
  assert.ok(serversOf('postgres://a/d').suits(standby))
  assert.ok(!serversOf('postgres://a/d?target_session_attrs=primary').suits(standby))
  assert.ok(!serversOf('postgres://a,b/d').suits(standby))
  assert.ok(serversOf('postgres://a,b/d').suits(primary))
  assert.ok(serversOf('postgres://a,b/d', 'standby').suits(standby))
  assert.ok(!serversOf('postgres://a,b/d', 'standby').suits(primary))
  assert.ok(serversOf('postgres://a/d', 'standby').suits(primary))
})
