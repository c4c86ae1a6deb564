import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neverConnected } from './never-connected.ts'

test('a route that is lost proves nothing once the connection was open', () => {
  const failed = (code: string, syscall?: string) => Object.assign(new Error(code), { code, syscall })
  const cases: [unknown, boolean][] = [
    [failed('ECONNREFUSED', 'connect'), true],
    [failed('ENOTFOUND', 'getaddrinfo'), true],
    [failed('CERT_HAS_EXPIRED'), true],
    [failed('EHOSTUNREACH', 'connect'), true],
    [Object.assign(new AggregateError([]), { code: 'ENETUNREACH' }), true],
    [failed('EHOSTUNREACH', 'read'), false],
    [failed('ENETUNREACH', 'write'), false],
    [failed('ECONNRESET', 'read'), false],
    [new Error('other'), false],
    [null, false],
  ]
  for (const [error, expected] of cases) assert.equal(neverConnected(error), expected, String(error))
})
