import { Refusal } from '../../domain/errors.ts'
import { listAccountVersionRows } from '../../store/accounts/account-versions.ts'
import { findAccountText } from '../../store/accounts/accounts.ts'
import type { Deps } from '../deps.ts'

export type AccountVersion = { version: number; appliedAtMs: number; appliedBy: string }

/** Every document that was ever in use, newest first. Throws a Refusal `not_found`. */
export async function listAccountVersions(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
): Promise<AccountVersion[]> {
  const versions = await listAccountVersionRows(db, accountId)
  if (versions.length === 0) throw new Refusal('not_found', `There is no account ${accountId}.`)
  return versions
}

/** A document as it was applied, as JSON text. Throws a Refusal `not_found`. */
export async function getAccountVersion(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  version: string,
): Promise<string> {
  const document = /^\d{1,9}$/.test(version) ? await findAccountText(db, accountId, Number(version)) : null
  if (document === null)
    throw new Refusal('not_found', `There is no version ${version} of account ${accountId}.`)
  return document
}
