import assert from 'node:assert/strict'
import type { RecordedRequest } from './client.ts'
import { findBreaches, namesOf, type Promises } from './promises.ts'

/** A fault, the promise that it breaks, and its change of the good evidence. */
export type Violation<Name, Evidence> = readonly [fault: string, promise: Name, change: Partial<Evidence>]

/** Fails unless each fault breaks its own promise, and every promise has a fault that breaks it. */
export function assertEachIsCaught<Name extends string, Evidence>(
  promises: Promises<Name, Evidence>,
  good: Evidence,
  violations: readonly Violation<Name, Evidence>[],
): void {
  for (const [fault, promise, change] of violations) {
    const broken = findBreaches(promises, { ...good, ...change }).map((breach) => breach.promise)
    assert.ok(broken.includes(promise), `${fault}: broke ${broken.join(', ') || 'nothing'}`)
  }
  const tried = new Set(violations.map(([, promise]) => promise))
  assert.deepEqual(tried, new Set(namesOf(promises)))
}

/** A create that returned 201. */
export function createdBy<Account extends string>(
  account: Account,
  reference: string,
  id: string,
): RecordedRequest<Account> {
  return {
    ...{ account, operation: 'create', reference, key: 'key', fromMs: 0, toMs: 1, tries: 1 },
    ...{ outcome: 'ok', status: 201, code: '', id },
  }
}
