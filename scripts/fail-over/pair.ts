import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { asUser, postgresUser } from '../../src/embedded/user.ts'
import { childrenOf, signal } from '../../test/harness/children.ts'
import { startTcpProxy } from '../../test/harness/tcp-proxy.ts'
import { freePort } from '../../test/packaged-process.ts'

/** A primary and its standby, behind one address. */
export type Pair = {
  /** Connects to the current primary, like a virtual IP address or a managed database's host name. */
  url: string
  /** From now on no traffic reaches the standby. */
  holdReplication(): void
  /** Kills every process of the primary at once, as if its machine were gone. */
  killPrimary(): void
  /** Makes the standby the primary and redirects the address to it. Returns how long that took, in ms. */
  promote(): Promise<number>
  stop(): Promise<void>
}

const PASSWORD = 'a password of the fail-over test'
const PATIENCE_MS = 60_000

/** `synchronous`: a commit returns once it is on the standby's disk as well. Throws when there is no PostgreSQL. */
export async function startPair(home: string, { synchronous }: { synchronous: boolean }): Promise<Pair> {
  const bin = binaries()
  const user = postgresUser()
  // Asynchronous, because the proxy runs in this process and must not block.
  const run = async (program: string, args: readonly string[]): Promise<void> => {
    const env = { ...process.env, PGPASSWORD: PASSWORD }
    await promisify(execFile)(join(bin, program), args, { ...asUser(user), cwd: '/', env })
  }
  const place = (name: string): string => {
    const folder = join(home, name)
    mkdirSync(folder)
    chmodSync(folder, 0o700)
    if (user) chownSync(folder, user.uid, user.gid)
    return folder
  }
  const ports = { primary: await freePort(), standby: await freePort() }
  const start = (folder: string, port: string, settings: Readonly<Record<string, string>> = {}) => {
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      port,
      ...settings,
    }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    return spawn(join(bin, 'postgres'), ['-D', folder, ...args], {
      ...asUser(user),
      cwd: '/',
      stdio: 'ignore',
    })
  }

  const passwordFile = join(home, 'password')
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const first = place('primary')
  const second = place('standby')
  await run('initdb', [
    '-D',
    first,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
    '-k',
  ])
  const primary = start(first, ports.primary, {
    synchronous_standby_names: synchronous ? '*' : '',
    synchronous_commit: synchronous ? 'on' : 'local',
  })
  await answers(ports.primary)
  const replication = await startTcpProxy(() => Number(ports.primary))
  await run('pg_basebackup', [
    '-D',
    second,
    '-h',
    '127.0.0.1',
    '-p',
    `${replication.port}`,
    '-U',
    'postgres',
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  ])
  const standby = start(second, ports.standby)
  await answers(ports.standby)
  await asked(ports.primary, `select 1 from pg_stat_replication where state = 'streaming'`)

  let now = ports.primary
  const address = await startTcpProxy(() => Number(now))
  const gone = [primary, standby].map((child) => once(child, 'close'))
  return {
    url: `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${address.port}/postgres`,
    holdReplication: () => replication.set({ kind: 'black_hole' }),
    killPrimary() {
      const pid = primary.pid as number
      for (const one of [pid, ...childrenOf(pid)]) signal(one, 'SIGKILL')
      address.cut('reset')
    },
    async promote() {
      const began = performance.now()
      await run('pg_ctl', ['promote', '-D', second, '-w'])
      now = ports.standby
      address.cut('reset')
      return Math.round(performance.now() - began)
    },
    async stop() {
      primary.kill('SIGQUIT')
      standby.kill('SIGQUIT')
      await Promise.all(gone)
      await address.stop()
      await replication.stop()
    },
  }
}

/** Debian's newest, or the folder that `PG_BIN` names. The bundled PostgreSQL has no `pg_basebackup`. */
function binaries(): string {
  const found = process.env.PG_BIN ?? globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? ''
  if (existsSync(join(found, 'pg_basebackup'))) return found
  throw new Error(
    'This script needs pg_basebackup: install PostgreSQL (Debian: postgresql), or set PG_BIN to its folder.',
  )
}

function answers(port: string): Promise<void> {
  return asked(port, 'select 1')
}

/** Waits until the query returns a row. */
async function asked(port: string, question: string): Promise<void> {
  for (const endMs = performance.now() + PATIENCE_MS; ; await sleep(50)) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: Number(port),
      user: 'postgres',
      password: PASSWORD,
      database: 'postgres',
    })
    client.on('error', () => {})
    const rows = await client
      .connect()
      .then(() => client.query(question))
      .then(({ rowCount }) => rowCount ?? 0)
      .catch(() => 0)
    await client.end().catch(() => {})
    if (rows > 0) return
    if (performance.now() > endMs)
      throw new Error(`PostgreSQL on ${port} did not return a row in time: ${question}`)
  }
}
