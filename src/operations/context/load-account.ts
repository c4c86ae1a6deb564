import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import { AccountDocument } from '../../domain/account/document/document.ts'
import { CarrierDocument } from '../../domain/account/document/document-carrier.ts'
import { StoreDocument } from '../../domain/account/document/document-store.ts'
import { type AssignedIds, accountCompiler } from '../../domain/account/snapshot/compile.ts'
import { compileCarrier } from '../../domain/account/snapshot/compile-carrier.ts'
import { listCarriersThatLeft } from '../../store/accounts/account-versions.ts'
import { findAccountDocument, listAccountIds } from '../../store/accounts/accounts.ts'

/**
 * The snapshot of a stored version. Throws, in words for the log, when there is none or this code cannot make one.
 *
 * Only what compiling needs is asked: a document that was good when it was applied is not refused again for
 * newer cross-checks. Requests are answered in between, for 100,000 stores take two seconds.
 */
export async function loadAccount(db: Pool, accountId: string, version: number): Promise<Account> {
  const stored = await findAccountDocument(db, accountId, version)
  if (stored === null) throw new Error(`There is no version ${version} of account ${accountId}.`)
  return compileInTurns(stored, { version, ...(await listAccountIds(db, accountId)) })
}

/**
 * By provider the carriers that the document no longer has, each as the last version that had it: what they were given
 * is theirs to bring. What this code cannot read is left out.
 */
export async function loadCarriersThatLeft(
  db: Pool,
  { id, version, carrierByProvider }: Account,
): Promise<ReadonlyMap<string, CarrierAccount>> {
  const left = await listCarriersThatLeft(db, id, { version, providers: [...carrierByProvider.keys()] })
  return new Map(
    left.flatMap(({ carrier, mode }) => {
      const { data } = CarrierDocument.safeParse(carrier)
      return data ? [[data.provider, compileCarrier(data, mode)] as const] : []
    }),
  )
}

/** Stores of one turn: at 20 µs each, 2 ms in which nothing else is done. */
const TURN = 100

const WithoutStores = AccountDocument.omit({ stores: true })

async function compileInTurns(stored: object, ids: AssignedIds): Promise<Account> {
  const { stores: given, ...rest } = stored as { stores: readonly unknown[] }
  const compiler = accountCompiler(WithoutStores.parse(rest), ids)
  const stores = []
  for (const [index, store] of given.entries()) {
    if (index % TURN === 0) await nextTurn()
    stores.push(compiler.store(StoreDocument.parse(store)))
  }
  return compiler.account(stores)
}
