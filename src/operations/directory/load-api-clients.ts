import type { Pool } from 'pg'
import { type ClientOwner, listApiClientRows } from '../../store/accounts/api-clients.ts'
import { SCOPES, type Scope } from './caller.ts'

export type ApiClient = {
  clientId: string
  name: string
  secretHash: Buffer
  scopes: ReadonlySet<Scope>
  /** Null: every store of the account. */
  storeReferences: ReadonlySet<string> | null
  createdAtMs: number
  /** The person with whom the client ends; null: the installation's own. */
  owner: ClientOwner | null
}

/** The account's API clients by id. */
export async function loadApiClients(db: Pool, accountId: string): Promise<Map<string, ApiClient>> {
  const rows = await listApiClientRows(db, accountId)
  return new Map(
    rows.map(({ createdAt, ...row }) => [
      row.clientId,
      {
        ...row,
        scopes: new Set(SCOPES.filter((scope) => row.scopes.includes(scope))),
        storeReferences: row.storeReferences && new Set(row.storeReferences),
        createdAtMs: createdAt,
      },
    ]),
  )
}
