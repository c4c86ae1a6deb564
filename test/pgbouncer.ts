import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makePool } from '../src/store/db/pool.ts'
import { until } from './wait-until.ts'

/** The program, in a variable: `PGBOUNCER=/usr/sbin/pgbouncer npm test -- pgbouncer`. */
export const PGBOUNCER = process.env.PGBOUNCER

/** A PgBouncer with five connections to the server of this database; `url` is the same database through it. */
export async function startPgBouncer(
  t: TestContext,
  databaseUrl: string,
  mode: 'transaction' | 'session',
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'drover-pgbouncer-'))
  chmodSync(folder, 0o755) // Root runs it as another user.
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl)
  const users = join(folder, 'users')
  const settings = join(folder, 'pgbouncer.ini')
  const port = await freePort()
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
max_prepared_statements = 200
default_pool_size = ${mode === 'transaction' ? 5 : 60}
`,
  )
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(PGBOUNCER as string, ['-q', ...asUser, settings], { stdio: 'ignore' })
  const ended = new Promise((done) => child.once('close', done))
  t.after(async () => {
    // At a SIGTERM it waits until every client is gone.
    child.kill('SIGQUIT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  const pool = makePool(url.href, { max: 1, applicationName: 'test', directUrl: databaseUrl })
  await until(
    () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    'PgBouncer answers',
  )
  await pool.end()
  return url.href
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
