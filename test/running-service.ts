import type { TestContext } from 'node:test'
import { type Service, startService } from '../src/bootstrap/service.ts'
import { loadConfig } from '../src/config.ts'
import { makeLog } from '../src/log.ts'
import { ensureDemoAccounts } from '../src/operations/accounts/demo-accounts.ts'
import { CONNECT_MS, testDatabase } from './database.ts'

/** The product on a free port with the demo accounts and a database, for HTTP clients. */
export async function runningService(
  t: TestContext,
): Promise<{ url: string; databaseUrl: string; service: Service }> {
  const { url: databaseUrl } = await testDatabase()
  const service = await startService({
    config: loadConfig({ PORT: '0', DROVER_SECRET_KEY: 'a secret key for tests, long enough' }),
    databaseUrl,
    roles: { api: true, worker: true },
    version: '0.0.0-test',
    log: makeLog('silent'),
    parts: { connectMs: CONNECT_MS },
  })
  t.after(() => service.stop())
  await ensureDemoAccounts(service.deps)
  return { url: service.address ?? '', databaseUrl, service }
}
