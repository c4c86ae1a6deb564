import type pg from 'pg'
import { OPERATOR, type Service } from './service.ts'

export type BenchAccount = { name: string; token: string }

/** Adds a copy of the demo account under another name, with its own limits and client. */
export async function addAccount(
  service: Service,
  name: string,
  limits: { requests_per_second: number; burst: number },
): Promise<BenchAccount> {
  const asOperator = { bearer: OPERATOR }
  const demo = (await service.call('GET /admin/accounts/demo', asOperator)) as object
  const document = { ...demo, tenant_id: name, limits }
  await service.call(`PUT /admin/accounts/${name}`, { ...asOperator, body: document })
  const client = { name: 'Bench', scopes: ['quotes', 'deliveries:write'] }
  const made = await service.call(`POST /admin/accounts/${name}/clients`, { ...asOperator, body: client })
  const { client_id, client_secret } = (made as { data: { client_id: string; client_secret: string } }).data
  const asked = { grant_type: 'client_credentials', client_id, client_secret }
  const token = await service.call(`POST /${name}/auth/token`, { bearer: '', body: asked })
  return { name, token: (token as { access_token: string }).access_token }
}

/**
 * Copies the demo account's rows of these tables, in the order of their foreign keys, until there are this many accounts.
 * The copies have no test clock.
 */
export async function copyDemoRows(
  db: pg.Client,
  tables: readonly string[],
  accounts: number,
): Promise<void> {
  for (const table of tables) {
    await db.query(
      `insert into ${table}
       select (jsonb_populate_record(one, jsonb_build_object('account_id', 'shop-' || n, 'clock_offset_ms', 0))).*
       from ${table} as one, generate_series(3, $1::integer) as n where one.account_id = 'demo'
       on conflict do nothing`,
      [accounts],
    )
  }
}
