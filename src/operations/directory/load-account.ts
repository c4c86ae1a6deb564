import type { Pool } from 'pg'
import { z } from 'zod'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import { AccountDocument } from '../../domain/account/document/document.ts'
import { CarrierDocument } from '../../domain/account/document/document-carrier.ts'
import { parseInSteps, type Steps } from '../../domain/account/document/parse-in-steps.ts'
import { type AssignedIds, compileAccountInSteps } from '../../domain/account/snapshot/compile.ts'
import { compileCarrierInSteps } from '../../domain/account/snapshot/compile-carrier.ts'
import { parseJsonInSteps } from '../../domain/text/parse-json-in-steps.ts'
import { listRemovedCarriers } from '../../store/accounts/account-versions.ts'
import { findAccountText, listAccountIds } from '../../store/accounts/accounts.ts'
import { inTurns } from '../concurrency/in-turns.ts'

/** A snapshot, and the length of its document as text: about a quarter of the memory that it takes. */
export type LoadedAccount = { account: Account; documentBytes: number }

/**
 * The snapshot of a stored version. Throws, with a message for the log, if there is no such version or this code cannot
 * compile it.
 * Validates only what compiling needs: newer cross-checks do not reject a document that was valid when it was applied.
 * Yields to other requests in between, because 100,000 stores take two seconds.
 */
export async function loadAccount(db: Pool, accountId: string, version: number): Promise<LoadedAccount> {
  const text = await findAccountText(db, accountId, version)
  if (text === null) throw new Error(`There is no version ${version} of account ${accountId}.`)
  const ids = await listAccountIds(db, accountId)
  const account = await inTurns(compiled(text, { version, ...ids }))
  return { account, documentBytes: text.length }
}

/**
 * The carriers that are no longer in the account document, by provider, each from the last version that had it: they
 * still deliver what they accepted. Versions that this code cannot read are left out.
 */
export async function loadRemovedCarriers(
  db: Pool,
  { id, version, carrierByProvider }: Account,
): Promise<ReadonlyMap<string, CarrierAccount>> {
  const removed = await listRemovedCarriers(db, id, { version, providers: [...carrierByProvider.keys()] })
  const carriers = new Map<string, CarrierAccount>()
  for (const { carrier, mode } of removed) {
    const compiled = await inTurns(compiledCarrier(carrier, mode))
    if (compiled) carriers.set(compiled.provider, compiled)
  }
  return carriers
}

function* compiledCarrier(text: string, mode: Account['mode']): Steps<CarrierAccount | null> {
  const read = yield* parseInSteps(CarrierDocument, yield* parseJsonInSteps(text))
  return read.success ? yield* compileCarrierInSteps(read.data, mode) : null
}

/** Throws a ZodError for a document that this code cannot read. */
function* compiled(text: string, ids: AssignedIds): Steps<Account> {
  const read = yield* parseInSteps(AccountDocument, yield* parseJsonInSteps(text))
  if (!read.success) throw new z.ZodError(read.issues)
  return yield* compileAccountInSteps(read.data, ids)
}
