import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresUser } from '../../src/embedded/user.ts'

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
  await moveTo(databaseUrl, folder)
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

/** The embedded cluster's superuser has the password of its owner. */
async function moveTo(databaseUrl: string, folder: string): Promise<void> {
  const url = new URL(databaseUrl)
  const database = url.pathname.slice(1)
  url.username = 'postgres'
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(`create tablespace small location '${folder}'`)
    await client.query(`alter database ${database} set tablespace small`)
  } finally {
    await client.end()
  }
}
