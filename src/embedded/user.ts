import { execFileSync } from 'node:child_process'

/** Who runs PostgreSQL; null: we ourselves do. */
export type PostgresUser = { name: string; uid: number; gid: number } | null

/** PostgreSQL refuses root, so root lends it to the first of these that the machine knows. */
const CANDIDATES = ['postgres', 'drover', 'nobody']

/** The user PostgreSQL runs as: null for an ordinary user, who runs it as oneself. */
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

/** The part of spawn's options that changes the user. */
export function asUser(user: PostgresUser): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {}
}

function idOf(flag: '-u' | '-g', name: string): number | null {
  try {
    return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return null
  }
}
