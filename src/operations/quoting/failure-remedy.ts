import { isUnavailable } from '../../store/db/unavailable.ts'

/** What a person can do about a failed set-up, by the error code of Node or PostgreSQL. */
const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process listens there: stop it, or set PORT to another number.',
  EACCES: 'This user may not do that: choose a PORT above 1023, and a DROVER_HOME that this user may write.',
  EADDRNOTAVAIL: 'This machine does not have that address: set HOST to one that it has.',
  ENOSPC: 'The disk is full: free space on it, then start again. Nothing that was acknowledged is lost.',
  53100:
    'The disk of the database is full: free space on it, then start again. Nothing that was acknowledged is lost.',
  53300: 'The database has no connection left: raise its max_connections, or run fewer processes.',
  '28P01': 'Correct the user and the password in DATABASE_URL.',
  '28000': 'Correct the user in DATABASE_URL, or let the server accept it (pg_hba.conf).',
  '3D000': 'Create the database that DATABASE_URL names: create database drover owner drover;',
}

/** Calls on files, which have nothing to do with the database, whatever their code. */
const FILE_CALLS: ReadonlySet<unknown> = new Set([
  'open',
  'read',
  'write',
  'mkdir',
  'scandir',
  'stat',
  'lstat',
  'unlink',
  'rename',
  'copyfile',
  'access',
])

const AWAY =
  'Check that PostgreSQL runs and accepts connections at the address in DATABASE_URL. Without DATABASE_URL, read the last ' +
  'lines of postgres/postgres.log in DROVER_HOME. `drover doctor` checks the set-up. ' +
  'It is safe to start again.'

/** What to do about it, as a sentence; null where the failure's own words say it, or nobody knows. */
export function remedyOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, syscall, path } = cause as { code?: unknown; syscall?: unknown; path?: unknown }
    if (FILE_CALLS.has(syscall) && typeof path === 'string' && code !== 'ENOSPC')
      return `Choose a file or folder that exists and that this user may read and write: ${path}`
    const remedy = typeof code === 'string' ? REMEDIES[code] : undefined
    if (remedy) return remedy
  }
  return isUnavailable(error) ? AWAY : null
}
