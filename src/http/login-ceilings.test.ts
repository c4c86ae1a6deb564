import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loginCeilings } from './login-ceilings.ts'

const NOW_MS = Date.UTC(2026, 10, 24)
const HOUR_MS = 3_600_000

test('everybody together guesses no more for having more addresses and phones than are remembered', () => {
  const { spend } = loginCeilings(NOW_MS, 20)
  let through = 0
  const guessFrom = (first: number, count: number, nowMs: number) => {
    for (let number = first; number < first + count; number++) {
      try {
        spend('guesses', { ip: `10.0.0.${number}`, phone: `+6149157${number}` }, nowMs)
        through++
      } catch {}
    }
  }
  guessFrom(0, 5_000, NOW_MS)
  assert.equal(through, 500)
  guessFrom(5_000, 5_000, NOW_MS + HOUR_MS)
  assert.equal(through, 1_000)
})

test('an address, a phone and all of them have ceilings of their own', () => {
  const { spend } = loginCeilings(NOW_MS)
  const countOf = (what: 'codes' | 'guesses', from: (number: number) => { ip: string; phone: string }) => {
    for (let number = 0; ; number++) {
      try {
        spend(what, from(number), NOW_MS)
      } catch {
        return number
      }
    }
  }
  assert.equal(
    countOf('codes', (n) => ({ ip: `a${n}`, phone: 'one' })),
    5,
  )
  assert.equal(
    countOf('codes', (n) => ({ ip: 'one', phone: `${n}` })),
    100,
  )
  assert.equal(
    countOf('guesses', (n) => ({ ip: `b${n}`, phone: 'one' })),
    10,
  )
  assert.equal(
    countOf('guesses', (n) => ({ ip: 'one', phone: `${n}` })),
    50,
  )
})

test('what is given back was never taken', () => {
  const { spend } = loginCeilings(NOW_MS)
  for (let number = 0; number < 2_000; number++) {
    const spent = spend('guesses', { ip: 'one', phone: 'one' }, NOW_MS)
    for (const bucket of spent) bucket.tokens += 1
  }
})
