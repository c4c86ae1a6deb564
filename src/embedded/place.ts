import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { asUser, type PostgresUser } from './user.ts'

/** Where root puts files that another user must enter when the home is closed to that user (such as /root). */
export const SHARED_ROOT = '/var/lib'

/**
 * The folder of the database's files: `home/postgres`, or the folder that `home/postgres` points to because
 * the user who runs PostgreSQL cannot enter `home`.
 */
export function choosePlace(home: string, user: PostgresUser, log: (line: string) => void): string {
  const usual = join(home, 'postgres')
  if (!lstatSync(usual, { throwIfNoEntry: false })) {
    if (user && !canEnter(home, user)) {
      // A random name, not one from the path of the home: a home that was moved or created again must not get
      // another home's data.
      const elsewhere = join(SHARED_ROOT, `drover-${randomBytes(6).toString('hex')}`)
      log(
        `PostgreSQL runs as the user ${user.name}, who cannot enter ${home}: its files are in ${elsewhere}.`,
      )
      mkdirSync(elsewhere, { recursive: true })
      symlinkSync(elsewhere, usual)
    } else {
      mkdirSync(usual)
    }
  }
  const place = realpathSync(usual)
  chmodSync(place, 0o700)
  if (user) chownSync(place, user.uid, user.gid)
  return place
}

/** Tests it as that user, because modes, access lists and mounts all matter. */
export function canEnter(folder: string, user: PostgresUser): boolean {
  const asked = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...asUser(user),
    cwd: '/',
    stdio: 'ignore',
  })
  return asked.status === 0
}
