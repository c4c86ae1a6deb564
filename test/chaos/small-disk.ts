import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresUser } from '../../src/embedded/user.ts'
import { queryAt, superuserOf } from '../harness/database.ts'

export type SmallDisk = {
  /** Fills the disk for `ms`. */
  fill(ms: number): Promise<void>
  stop(): void
}

const SIZE_MB = 1_024
const CHUNK = Buffer.alloc(4 * 1_048_576)

/**
 * Puts the database's tables on a small file system in memory, so that they can run out of space; the write-ahead
 * log stays on the disk, where a full one would stop PostgreSQL itself. Null if this user may not mount one.
 */
export async function mountSmallDisk(databaseUrl: string): Promise<SmallDisk | null> {
  const user = postgresUser()
  if (process.platform !== 'linux' || !user) return null
  const folder = mkdtempSync(join(tmpdir(), 'drover-chaos-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return null
  }
  chmodSync(folder, 0o700)
  chownSync(folder, user.uid, user.gid)
  const database = new URL(databaseUrl).pathname.slice(1)
  await queryAt(
    superuserOf(databaseUrl),
    `create tablespace small location '${folder}'`,
    `alter database ${database} set tablespace small`,
  )
  const ballast = join(folder, 'ballast')
  return {
    async fill(ms) {
      try {
        for (;;) writeFileSync(ballast, CHUNK, { flag: 'a' })
      } catch {
        // The disk is full, as intended.
      }
      await sleep(ms)
      unlinkSync(ballast)
    },
    stop() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
