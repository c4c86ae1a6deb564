import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'

export type BenchDatabase = { url: string; home: string; stop(): Promise<void> }

/** The product's own PostgreSQL with the product's own settings (fsync on) in a temporary folder. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const home = temporaryHome()
  const { url, stop } = await startEmbeddedPostgres({ home, log: () => {} })
  return {
    url,
    home,
    stop: async () => {
      await stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'drover-bench-'))
  chmodSync(home, 0o755) // Root runs PostgreSQL as another user, who needs access.
  return home
}
