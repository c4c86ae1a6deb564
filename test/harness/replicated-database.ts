import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries } from '../../src/embedded/binaries.ts'
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { asUser, type PostgresUser, postgresUser } from '../../src/embedded/user.ts'
import { freePort } from '../packaged-process.ts'
import { until } from '../wait-until.ts'
import { type CleanUps, owned, temporaryHome } from './clean-ups.ts'
import { crashPostgres } from './crash-postgres.ts'
import { queryAt, superuserOf } from './database.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** A primary and its standby, with streaming replication, from the bundled PostgreSQL. */
export type ReplicatedDatabase = {
  url: string
  readUrl: string
  /** Both servers in one URL, the standby first. */
  bothUrl: string
  /** Between the two: what passes it decides how far behind the standby is. */
  replication: TcpProxy
  /** From now on a commit returns once it is on the standby's disk as well. */
  makeSynchronous(): Promise<void>
  /** Kills every process of the primary at once. Its supervisor restarts it: no client may reach that one. */
  killPrimary(): void
  stopPrimary(): Promise<void>
  stopStandby(): Promise<void>
  startStandby(): Promise<void>
  /** Makes the standby a primary of its own. */
  promote(): Promise<void>
}

/** The bundled PostgreSQL has no pg_basebackup, so the standby starts from a copy of the stopped primary's files. */
export async function startReplicatedDatabase(
  cleanUps: CleanUps,
  settings: Readonly<Record<string, string>>,
): Promise<ReplicatedDatabase> {
  const quiet = (): void => {}
  const home = temporaryHome(cleanUps)
  const primaryHome = join(home, 'primary')
  const first = await startEmbeddedPostgres({ home: primaryHome, log: quiet, settings })
  await first.stop()
  const standby = join(home, 'standby')
  cpSync(join(primaryHome, 'postgres', 'data'), standby, { recursive: true, preserveTimestamps: true })
  const user = postgresUser()
  const giveToUser = async (): Promise<void> => {
    if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, standby])
  }
  await giveToUser()
  chmodSync(standby, 0o700)

  const primary = owned(cleanUps, await startEmbeddedPostgres({ home: primaryHome, log: quiet, settings }))
  const { port, password } = new URL(primary.url)
  const replication = owned(cleanUps, await startTcpProxy(() => Number(port)))
  const source = `host=127.0.0.1 port=${replication.port} user=postgres password=${password}`
  const append = `primary_conninfo = '${source}'\nwal_receiver_status_interval = 1\nwal_retrieve_retry_interval = 100\n`
  writeFileSync(join(standby, 'postgresql.auto.conf'), append, { flag: 'a' })
  writeFileSync(join(standby, 'standby.signal'), '')
  await giveToUser()

  const readPort = await freePort()
  const readUrl = primary.url.replace(`:${port}/`, `:${readPort}/`)
  const program = findBinaries(primaryHome, user, quiet)
  let child: ReturnType<typeof spawn> | null = null
  const startStandby = async (): Promise<void> => {
    const own = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: readPort }
    const args = Object.entries({ ...settings, ...own }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    child = spawn(program('postgres'), ['-D', standby, ...args], {
      ...{ ...asUser(user), cwd: '/', stdio: 'ignore' },
    })
    await until(() => queryAt(readUrl, 'select 1').catch(() => null), 'the standby answers')
  }
  const stopStandby = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGQUIT')
    await gone
  }
  cleanUps.after(stopStandby)
  await startStandby()
  return {
    url: primary.url,
    readUrl,
    bothUrl: primary.url.replace(`127.0.0.1:${port}/`, `127.0.0.1:${readPort},127.0.0.1:${port}/`),
    replication,
    async makeSynchronous() {
      const superuser = superuserOf(primary.url)
      const isTrue = (of: string) => until(async () => (await queryAt(superuser, of)).length > 0, of)
      await isTrue(STREAMING)
      await queryAt(superuser, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()')
      await isTrue(`${STREAMING} and sync_state = 'sync'`)
    },
    killPrimary: () => void crashPostgres(primaryHome, 'kill'),
    stopPrimary: primary.stop,
    startStandby,
    stopStandby,
    promote: () => run(program('pg_ctl'), ['promote', '-D', standby, '-w'], user),
  }
}

const STREAMING = `select 1 from pg_stat_replication where state = 'streaming'`

async function run(program: string, args: readonly string[], user: PostgresUser = null): Promise<void> {
  await promisify(execFile)(program, args, { ...asUser(user), cwd: '/' })
}
