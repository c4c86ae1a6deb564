import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'

/** How `npm test` names the server that it started, so that test files do not start one each. */
export const SERVER_VARIABLE = 'TEST_DATABASE_SERVER'

/** A test file that uses a database adds its name here, for `npm test` to run it on a second server too. */
export const USED_VARIABLE = 'TESTS_THAT_USE_A_DATABASE'

/** The test files of this process, a line each. */
export const FILES_VARIABLE = 'TEST_FILES'

/** A PostgreSQL in a temporary folder. A test need not survive a power cut, so PostgreSQL does not wait for the disk. */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'drover-test-'))
  chmodSync(home, 0o755) // Root runs PostgreSQL as another user, who needs access.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  }
  const { url, stop } = await startEmbeddedPostgres({ home, log: () => {}, settings })
  return {
    url,
    stop: async () => {
      await stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
