import { execFileSync } from 'node:child_process'

/** The user that PostgreSQL runs as; null: our own. */
export type PostgresUser = { name: string; uid: number; gid: number } | null

/** PostgreSQL refuses to run as root, so root uses the first of these users that exists. */
const CANDIDATES = ['postgres', 'drover', 'nobody']

/** The user that PostgreSQL runs as: null for an ordinary user, who runs it as themselves. */
export function postgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return null
  for (const name of CANDIDATES) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid && gid !== null) return { name, uid, gid }
  }
  throw new Error(
    `PostgreSQL does not run as root, and none of the users ${CANDIDATES.join(', ')} exists. Run Drover as an ordinary user, or give a DATABASE_URL.`,
  )
}

/**
 * The environment variables that PostgreSQL’s programs need: NSS_WRAPPER_* and LD_PRELOAD for a user without a passwd
 * entry, and those from `SystemRoot` on for Windows.
 */
const PASSED =
  /^(PATH|LANG|LC_\w+|TZ|LD_LIBRARY_PATH|LD_PRELOAD|NSS_WRAPPER_\w+|TMPDIR|SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|TEMP|TMP)$/i

/**
 * The options of spawn that change the user. They leave out our own variables: that user can read the environment of
 * its processes, and ours has secrets.
 */
export function asUser(user: PostgresUser): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name)))
  return user ? { uid: user.uid, gid: user.gid, env } : { env }
}

function idOf(flag: '-u' | '-g', name: string): number | null {
  try {
    return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return null
  }
}
