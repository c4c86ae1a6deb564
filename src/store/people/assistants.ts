import type { Db } from '../db/db.ts'

/** An OAuth client of the MCP endpoint. */
export type Assistant = {
  accountId: string
  assistantId: string
  name: string
  redirectUrls: readonly string[]
  createdAtMs: number
}

const COLUMNS = `account_id as "accountId", assistant_id as "assistantId", name, redirect_urls as "redirectUrls",
  created_at as "createdAtMs"`

/** Oldest first. */
export async function listAssistants(db: Db, accountId: string): Promise<Assistant[]> {
  const { rows } = await db.query<Assistant>({
    name: 'list-assistants',
    text: `select ${COLUMNS} from assistants where account_id = $1 order by created_at, assistant_id`,
    values: [accountId],
  })
  return rows
}

export async function findAssistant(
  db: Db,
  accountId: string,
  assistantId: string,
): Promise<Assistant | null> {
  const { rows } = await db.query<Assistant>({
    name: 'find-assistant',
    text: `select ${COLUMNS} from assistants where account_id = $1 and assistant_id = $2`,
    values: [accountId, assistantId],
  })
  return rows[0] ?? null
}

type Written = Pick<Assistant, 'accountId' | 'assistantId' | 'name' | 'redirectUrls'>

/** Null if the account has `max` assistants already. */
export async function insertAssistant(
  db: Db,
  { accountId, assistantId, name, redirectUrls }: Written,
  max: number,
): Promise<Assistant | null> {
  const { rows } = await db.query<Assistant>({
    name: 'insert-assistant',
    text: `insert into assistants (account_id, assistant_id, name, redirect_urls)
      select $1, $2, $3, $4 where (select count(*) from assistants where account_id = $1) < $5
      returning ${COLUMNS}`,
    values: [accountId, assistantId, name, redirectUrls, max],
  })
  return rows[0] ?? null
}

/** Null if there is no such assistant. */
export async function updateAssistant(
  db: Db,
  { accountId, assistantId, name, redirectUrls }: Written,
): Promise<Assistant | null> {
  const { rows } = await db.query<Assistant>({
    name: 'update-assistant',
    text: `update assistants set name = $3, redirect_urls = $4 where account_id = $1 and assistant_id = $2
      returning ${COLUMNS}`,
    values: [accountId, assistantId, name, redirectUrls],
  })
  return rows[0] ?? null
}

/** Its grants are deleted with it. False if there is no such assistant. */
export async function deleteAssistant(db: Db, accountId: string, assistantId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'delete-assistant',
    text: 'delete from assistants where account_id = $1 and assistant_id = $2',
    values: [accountId, assistantId],
  })
  return rowCount === 1
}
