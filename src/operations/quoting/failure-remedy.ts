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
  '28000':
    'Correct the user in DATABASE_URL, or let the server accept it (pg_hba.conf). If the server accepts only encrypted ' +
    'connections, end DATABASE_URL with ?sslmode=verify-full.',
  '3D000':
    'Create the database that DATABASE_URL names, as a superuser: create database drover owner drover;',
  ...codes(
    ['42501', '3F000'],
    'The role in DATABASE_URL lacks a privilege. As a superuser, make it the owner: alter database drover owner to drover; ' +
      'and in that database: alter schema public owner to drover;',
  ),
  ECONNREFUSED:
    'No PostgreSQL listens at that address: start it, or correct the host and port in DATABASE_URL. Without ' +
    'DATABASE_URL, read the last lines of postgres/postgres.log in DROVER_HOME.',
  ENOTFOUND: 'No host has that name: correct the host in DATABASE_URL.',
  EAI_AGAIN: "The name server doesn't answer: correct the host in DATABASE_URL, or try again.",
  ...codes(
    ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
    'The host in DATABASE_URL does not answer: correct the host, or open its port in the firewall.',
  ),
  ...codes(
    ['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    "Give Drover the CA certificate that signed the server's certificate: end DATABASE_URL with ?sslmode=verify-full&sslrootcert=<file>.",
  ),
  CERT_HAS_EXPIRED: 'Renew the certificate of the database server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use the host name in DATABASE_URL that the certificate of the server names.',
}

/** For failures of `pg` that have a message only. */
const REMEDIES_BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/,
    'DATABASE_URL leads to a connection pooler, such as PgBouncer, which rejects Drover’s connection settings. Set ' +
      'DATABASE_DIRECT_URL to PostgreSQL itself. Drover then sends the pooler only settings that it accepts.',
  ],
  [
    /^The server does not support SSL connections/,
    'Switch on TLS at the database server (ssl = on), or end DATABASE_URL with ?sslmode=disable.',
  ],
  [
    /password must be a string/,
    'Write the password into DATABASE_URL: postgres://user:password@host:5432/database.',
  ],
]

function codes(names: readonly string[], remedy: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, remedy]))
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
export function findRemedy(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = getInnermostCause(cause)) {
    const { code, syscall, path } = cause as { code?: unknown; syscall?: unknown; path?: unknown }
    if (FILE_CALLS.has(syscall) && typeof path === 'string' && code !== 'ENOSPC')
      return `Choose a file or folder that exists and that this user may read and write: ${path}`
    const remedy = typeof code === 'string' ? REMEDIES[code] : undefined
    if (remedy) return remedy
    const { message } = cause
    const byWords = REMEDIES_BY_WORDS.find(([words]) => words.test(message))
    if (byWords) return byWords[1]
  }
  return isUnavailable(error) ? AWAY : null
}

/** A host with two addresses fails once for each. */
function getInnermostCause(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause
}
