import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the installed PostgreSQL's programs: `PG_BIN`, or Debian's newest. Throws if there is none. */
export function findInstalledPostgres(): string {
  const folder = process.env.PG_BIN ?? globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  if (!folder) throw new Error('Install PostgreSQL (Debian: postgresql), or set PG_BIN to its folder.')
  return folder
}

/** Whether the installed PostgreSQL has Citus: docs/operations/citus.md. */
export function hasCitus(): boolean {
  try {
    return existsSync(join(findInstalledPostgres(), '../lib/citus.so'))
  } catch {
    return false
  }
}
