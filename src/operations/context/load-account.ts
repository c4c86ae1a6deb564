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
 * The snapshot of a stored version. Throws, with a message for the log, if there is no such version or this code cannot
 * compile it.
 * Validates only what compiling needs: newer cross-checks do not reject a document that was valid when it was applied.
 * Yields to requests in between, because 100,000 stores take two seconds.
 */
export async function loadAccount(db: Pool, accountId: string, version: number): Promise<Account> {
  const stored = await findAccountDocument(db, accountId, version)
  if (stored === null) throw new Error(`There is no version ${version} of account ${accountId}.`)
  return compileInTurns(stored, { version, ...(await listAccountIds(db, accountId)) })
}

/**
 * The carriers that are no longer in the account document, by provider, each from the last version that had it: they
 * still deliver what they accepted. Versions that this code cannot read are left out.
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

/** Stores compiled per tick: at 20 µs each, this blocks the event loop for 2 ms. */
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
