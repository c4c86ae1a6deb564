import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'
import type { Api } from './api.ts'
import { statementsOf } from './statements-of.ts'

const COMPUTED = ['createHmac', 'scrypt'] as const

/**
 * Counts the expensive parts of a request: statements by name, and hashes of secrets. An attacker
 * cannot tell two requests of equal cost apart by timing, and this test needs no clock.
 */
export function costsAt(
  t: TestContext,
  api: Api,
): (work: () => Promise<unknown>) => Promise<Record<string, number>> {
  const spies = COMPUTED.map((name) => [name, t.mock.method(crypto, name).mock] as const)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return async (work) => {
    const before = spies.map(([, spy]) => spy.callCount())
    const statements = await statementsOf(api, work)
    const computed = spies.map(([name, spy], n) => [name, spy.callCount() - (before[n] as number)])
    return { ...statements, ...Object.fromEntries(computed) }
  }
}
