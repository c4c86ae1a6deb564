import { type Issue, Refusal } from '../domain/errors.ts'
import { INSTALLATION, type Role, type User } from '../domain/people/user.ts'
import { didYouMean } from '../domain/text/nearest.ts'
import type { Deps } from './deps.ts'

export type Access = { role: Role; storeReferences: readonly string[] | null }

/** A clerk's stores are those asked for, or those there were; everybody else has all, which is null. */
export function storesFor(
  role: Role,
  asked: readonly string[] | null | undefined,
  now: readonly string[] | null,
): readonly string[] | null {
  if (role !== 'store_clerk') return asked ?? null
  return asked === undefined ? (now ?? []) : [...new Set(asked)]
}

/** What is wrong with giving somebody of the account this access. */
export function mistakesOf(
  deps: Pick<Deps, 'accounts'>,
  accountId: string,
  { role, storeReferences }: Access,
): Issue[] {
  if ((role === 'operator') !== (accountId === INSTALLATION)) {
    const message = 'Operators belong to the installation, everybody else to an account.'
    return [{ field: 'role', issue: 'conflict', message }]
  }
  if (role !== 'store_clerk') {
    const message = 'Only clerks are limited to stores.'
    return storeReferences === null ? [] : [{ field: 'store_references', issue: 'conflict', message }]
  }
  if (!storeReferences || storeReferences.length === 0) {
    const message = 'Name the stores of the clerk.'
    return [{ field: 'store_references', issue: 'required', message }]
  }
  const stores = deps.accounts.find(accountId)?.account.storeByReference ?? new Map<string, unknown>()
  return storeReferences.flatMap((reference, index) =>
    stores.has(reference)
      ? []
      : [
          {
            field: `store_references[${index}]`,
            issue: 'unknown_store' as const,
            message: `"${reference}" is not a store of this account.${didYouMean(reference, stores.keys())}`,
          },
        ],
  )
}

export function refuseMistakes(issues: readonly Issue[]): void {
  const [first] = issues
  if (first) throw new Refusal('invalid_request', first.message, { issues })
}

/** As the audit log has it. */
export function accessOf({ role, storeReferences, status }: User): object {
  return { role, store_references: storeReferences, status }
}
