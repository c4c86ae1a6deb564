import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { readNoFollow } from './no-follow.ts'
import { findPostmaster } from './postmaster.ts'

/** The address of this home's PostgreSQL, or null when it is not running. */
export function runningPostgres(home: string): string | null {
  try {
    const place = realpathSync(join(home, 'postgres'))
    const server = findPostmaster(join(place, 'data'))
    if (!server?.port) return null
    const password = readNoFollow(join(place, 'password')).trim()
    return `postgres://drover:${password}@127.0.0.1:${server.port}/drover`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
