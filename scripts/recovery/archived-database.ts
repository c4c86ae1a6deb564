import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findBinaries } from '../../src/embedded/binaries.ts'
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { asUser, postgresUser } from '../../src/embedded/user.ts'
import { childrenOf, signal } from '../../test/harness/children.ts'
import { type CleanUps, temporaryHome } from '../../test/harness/clean-ups.ts'
import { queryAt, superuserOf } from '../../test/harness/database.ts'
import { freePort } from '../../test/packaged-process.ts'
import { until } from '../../test/wait-until.ts'

/** A PostgreSQL that archives its WAL to a folder. */
export type ArchivedDatabase = {
  url: string
  /** Copies the running server's files, as `pg_basebackup` does; returns their bytes. */
  takeBaseBackup(): Promise<number>
  /** The server's clock. */
  now(): Promise<string>
  /** Waits until the archive has all WAL written so far. */
  awaitArchive(): Promise<void>
  /** Kills every process of the server and removes its data folder. The archive and the base backup stay. */
  destroy(): Promise<void>
  /** Copies the base backup back and replays the archived WAL to that moment; returns when writes are accepted. */
  restoreTo(moment: string): Promise<{ copyMs: number; replayMs: number; segments: number }>
}

/** Seconds. The documented 60 would only lengthen the run: WAL that is not archived is lost either way. */
const ARCHIVE_TIMEOUT_S = 1
/** What PostgreSQL's documentation leaves out of a base backup (Continuous Archiving, low-level API). */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.)/

export async function startArchivedDatabase(cleanUps: CleanUps): Promise<ArchivedDatabase> {
  const quiet = (): void => {}
  const home = temporaryHome(cleanUps)
  const embedded = await startEmbeddedPostgres({ home, log: quiet })
  await embedded.stop()
  // No supervisor from here on: a server that was destroyed must not be started again.
  const user = postgresUser()
  const program = findBinaries(home, user, quiet)
  const port = await freePort()
  const url = new URL(embedded.url)
  url.port = port
  const superuser = superuserOf(url.href)
  const [data, backup, archive] = ['postgres/data', 'backup', 'archive'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ]
  const giveToUser = (folder: string): void => {
    chmodSync(folder, 0o700)
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  }
  mkdirSync(archive)
  giveToUser(archive)

  const settings = {
    ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '', port, max_connections: '200' },
    ...{ wal_level: 'replica', archive_mode: 'on', archive_timeout: ARCHIVE_TIMEOUT_S },
    archive_command: `test ! -f '${archive}/%f' && cp '%p' '${archive}/%f'`,
  }
  const log = openSync(join(home, 'postgres.log'), 'a')
  let server: ChildProcess | null = null
  const start = async (ready: string): Promise<void> => {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const started = spawn(program('postgres'), ['-D', data, ...args], {
      ...{ ...asUser(user), cwd: '/', stdio: ['ignore', log, log] },
    })
    server = started
    await until(async () => {
      if (started.exitCode !== null)
        throw new Error(`PostgreSQL ended:\n${readFileSync(join(home, 'postgres.log'), 'utf8')}`)
      return (await queryAt(superuser, ready).catch(() => [])).length > 0
    }, 'PostgreSQL accepts writes')
  }
  const end = async (kill: (pid: number) => void): Promise<void> => {
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    kill(server.pid)
    await gone
  }
  cleanUps.after(() => end((pid) => signal(pid, 'SIGQUIT')))
  await start(WRITABLE)

  return {
    url: url.href,
    async takeBaseBackup() {
      const session = new pg.Client({ connectionString: superuser })
      await session.connect()
      try {
        await session.query(`select pg_backup_start('recovery', fast => true)`)
        const bytes = copyLive(data, backup)
        const { rows } = await session.query('select labelfile from pg_backup_stop()')
        writeFileSync(join(backup, 'backup_label'), rows[0].labelfile)
        return bytes
      } finally {
        await session.end()
      }
    },
    async now() {
      const [row] = (await queryAt(superuser, 'select clock_timestamp()::text as now')) as { now: string }[]
      return row?.now ?? ''
    },
    async awaitArchive() {
      const [row] = (await queryAt(superuser, 'select pg_walfile_name(pg_current_wal_lsn()) as file')) as {
        file: string
      }[]
      const isArchived = `select 1 from pg_stat_archiver where last_archived_wal >= '${row?.file}'`
      await until(async () => (await queryAt(superuser, isArchived)).length > 0, 'the archive has the WAL')
    },
    async destroy() {
      await end((pid) => {
        for (const one of [pid, ...childrenOf(pid)]) signal(one, 'SIGKILL')
      })
      rmSync(data, { recursive: true })
    },
    async restoreTo(moment) {
      const copiedFromMs = performance.now()
      copyLive(backup, data)
      const recovery = {
        restore_command: `cp "${archive}/%f" "%p"`,
        recovery_target_time: moment,
        recovery_target_action: 'promote',
      }
      const lines = Object.entries(recovery).map(([name, value]) => `${name} = '${value}'\n`)
      appendFileSync(join(data, 'postgresql.auto.conf'), lines.join(''))
      writeFileSync(join(data, 'recovery.signal'), '')
      giveToUser(data)
      const replayedFromMs = performance.now()
      await start(WRITABLE)
      return {
        copyMs: replayedFromMs - copiedFromMs,
        replayMs: performance.now() - replayedFromMs,
        segments: readdirSync(archive).filter((name) => /^[0-9A-F]{24}$/.test(name)).length,
      }
    },
  }
}

const WRITABLE = 'select 1 where not pg_is_in_recovery()'

/** Copies a data folder whose files may change or vanish meanwhile, and returns the bytes. WAL repairs the copy. */
function copyLive(from: string, to: string): number {
  mkdirSync(to, { recursive: true })
  let bytes = 0
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' }).sort()) {
    if (LEFT_OUT.test(name)) continue
    try {
      const found = statSync(join(from, name))
      if (found.isDirectory()) mkdirSync(join(to, name), { recursive: true })
      else {
        copyFileSync(join(from, name), join(to, name))
        bytes += found.size
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return bytes
}
