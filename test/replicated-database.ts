import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { findBinaries } from '../src/embedded/binaries.ts'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { asUser, type PostgresUser, postgresUser } from '../src/embedded/user.ts'
import { migrate } from '../src/store/db/migrate.ts'
import { makePool } from '../src/store/db/pool.ts'
import { type Api, testApi } from './api.ts'
import type { FixtureOptions } from './fixture.ts'
import { startTcpProxy, type TcpProxy } from './harness/tcp-proxy.ts'
import { freePort } from './packaged-process.ts'
import { until } from './wait-until.ts'

/** A primary and its standby, with streaming replication, from the bundled PostgreSQL. */
export type ReplicatedDatabase = {
  url: string
  readUrl: string
  /** Both servers in one URL, the standby first. */
  bothUrl: string
  /** Between the two: what passes it decides how far behind the standby is. */
  replication: TcpProxy
  stopPrimary(): Promise<void>
  stopStandby(): Promise<void>
  startStandby(): Promise<void>
  /** Makes the standby a primary of its own. */
  promote(): Promise<void>
}

/**
 * The API on a primary and its standby. Hooks run in the order of their registration, so the servers'
 * comes last: the API closes its connections before they stop.
 */
export async function replicatedApi(
  t: TestContext,
  options: (database: ReplicatedDatabase) => FixtureOptions,
): Promise<{ api: Api; database: ReplicatedDatabase }> {
  const home = mkdtempSync(join(tmpdir(), 'drover-replica-'))
  chmodSync(home, 0o755)
  const stops: (() => Promise<void>)[] = []
  try {
    const database = await replicatedDatabase(home, stops)
    await migrate(database.bothUrl)
    return { api: await testApi(t, options(database)), database }
  } finally {
    t.after(async () => {
      for (const stop of stops.reverse()) await stop()
      rmSync(home, { recursive: true, force: true })
    })
  }
}

/** The bundled PostgreSQL has no pg_basebackup, so the standby starts from a copy of the stopped primary's files. */
async function replicatedDatabase(home: string, stops: (() => Promise<void>)[]): Promise<ReplicatedDatabase> {
  const quiet = (): void => {}
  const primaryHome = join(home, 'primary')
  const settings = { max_connections: '50', shared_buffers: '32MB' }
  const first = await startEmbeddedPostgres({ home: primaryHome, log: quiet, settings })
  await first.stop()
  const standby = join(home, 'standby')
  cpSync(join(primaryHome, 'postgres', 'data'), standby, { recursive: true, preserveTimestamps: true })
  const user = postgresUser()
  if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, standby])
  chmodSync(standby, 0o700)
  const password = readFileSync(join(primaryHome, 'postgres', 'password'), 'utf8').trim()

  const primary = await startEmbeddedPostgres({ home: primaryHome, log: quiet, settings })
  stops.push(primary.stop)
  const { port } = new URL(primary.url)
  const replication = await startTcpProxy(() => Number(port))
  stops.push(replication.stop)
  const source = `host=127.0.0.1 port=${replication.port} user=postgres password=${password}`
  const append = `primary_conninfo = '${source}'\nwal_receiver_status_interval = 1\nwal_retrieve_retry_interval = 100\n`
  writeFileSync(join(standby, 'postgresql.auto.conf'), append, { flag: 'a' })
  writeFileSync(join(standby, 'standby.signal'), '')
  if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, standby])

  const readPort = await freePort()
  const readUrl = primary.url.replace(`:${port}/`, `:${readPort}/`)
  const program = findBinaries(primaryHome, user, quiet)('postgres')
  let child: ReturnType<typeof spawn> | null = null
  const startStandby = async (): Promise<void> => {
    const all = {
      ...settings,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: String(readPort),
    }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    child = spawn(program, ['-D', standby, ...args], { ...asUser(user), cwd: '/', stdio: 'ignore' })
    await until(() => canRead(readUrl), 'the standby answers')
  }
  const stopStandby = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGQUIT')
    await gone
  }
  stops.push(stopStandby)
  await startStandby()
  return {
    url: primary.url,
    readUrl,
    bothUrl: primary.url.replace(`127.0.0.1:${port}/`, `127.0.0.1:${readPort},127.0.0.1:${port}/`),
    replication,
    stopPrimary: primary.stop,
    startStandby,
    stopStandby,
    async promote() {
      await run(findBinaries(primaryHome, user, quiet)('pg_ctl'), ['promote', '-D', standby, '-w'], user)
    },
  }
}

async function canRead(url: string): Promise<boolean> {
  const db = makePool(url, { max: 1, applicationName: 'test' })
  try {
    await db.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await db.end()
  }
}

async function run(program: string, args: readonly string[], user: PostgresUser = null): Promise<void> {
  const child = spawn(program, args, { ...asUser(user), cwd: '/', stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ended with ${code}.`)
}
