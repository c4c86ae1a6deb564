import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { until } from '../../test/wait-until.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { canEnter } from './place.ts'
import { findPostmaster } from './postmaster.ts'
import { postgresUser } from './user.ts'

const settings = { fsync: 'off' }
const silent = () => {}
const isRoot = process.getuid?.() === 0

function temporaryHome(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'drover-embedded-'))
  chmodSync(home, 0o755)
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(sql)
    return rows[0] && Object.values(rows[0])[0]
  } finally {
    await client.end()
  }
}

const postmasterOf = (home: string) => findPostmaster(join(home, 'postgres', 'data'))?.pid ?? null

/** Another process that starts the database in `home`, prints its address, and then does what `then` says. */
async function otherProcess(home: string, then: 'stay' | 'exit', uid?: { uid: number; gid: number }) {
  const module = fileURLToPath(new URL('./embedded-postgres.ts', import.meta.url))
  const script = `import { startEmbeddedPostgres } from ${JSON.stringify(module)}
    const { url } = await startEmbeddedPostgres({ home: ${JSON.stringify(home)}, log: () => {}, settings: { fsync: 'off' } })
    console.log(url)
    ${then === 'exit' ? 'process.exit(0)' : 'setInterval(() => {}, 1000)'}`
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...uid,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  assert.ok(child.stdout)
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, exited, url: String(url) }
}

test('data is there at the next start, at the same address, and a stop leaves no process', async (t) => {
  const home = temporaryHome(t)
  const first = await startEmbeddedPostgres({ home, log: silent, settings })
  await ask(first.url, 'create table kept as select 7 as seven')
  await assert.rejects(
    ask(first.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1'),
    /password authentication failed/,
  )
  assert.equal(await ask(first.url, `select rolsuper from pg_roles where rolname = current_user`), false)
  assert.equal(await ask(first.url, `select upper('é')`), 'É')
  await first.stop()
  await first.stop()
  assert.equal(postmasterOf(home), null)

  const second = await startEmbeddedPostgres({ home, log: silent, settings })
  t.after(second.stop)
  assert.equal(second.url, first.url)
  assert.equal(second.adopted, false)
  assert.equal(await ask(second.url, 'select seven from kept'), 7)
  assert.equal(statSync(join(home, 'postgres', 'password')).mode & 0o777, 0o600)
})

test('a second start names the process that uses the folder', async (t) => {
  const home = temporaryHome(t)
  const { stop } = await startEmbeddedPostgres({ home, log: silent, settings })
  t.after(stop)
  await assert.rejects(startEmbeddedPostgres({ home, log: silent }), (error: Error) => {
    assert.match(
      error.message,
      new RegExp(`${home} has been in use by process ${process.pid} since 20\\d\\d-`),
    )
    assert.match(error.message, /Stop that process, or set DROVER_HOME/)
    return true
  })
})

test('a database that a killed process left behind is adopted, and stopped with its new owner', async (t) => {
  const home = temporaryHome(t)
  const other = await otherProcess(home, 'stay')
  const pid = postmasterOf(home)
  other.child.kill('SIGKILL')
  await other.exited
  const { url, adopted, stop } = await startEmbeddedPostgres({ home, log: silent, settings })
  assert.equal(adopted, true)
  assert.equal(url, other.url)
  assert.equal(postmasterOf(home), pid)
  assert.equal(await ask(url, 'select 1'), 1)
  await stop()
  assert.equal(postmasterOf(home), null)
})

test('a process that ends without a shutdown stops its database', async (t) => {
  const home = temporaryHome(t)
  const other = await otherProcess(home, 'exit')
  await other.exited
  await until(() => postmasterOf(home) === null, 'its database has stopped')
})

test('a database that dies is restarted, even an adopted one', async (t) => {
  const home = temporaryHome(t)
  const other = await otherProcess(home, 'stay')
  other.child.kill('SIGKILL')
  await other.exited
  const lines: string[] = []
  const { url, stop } = await startEmbeddedPostgres({ home, log: (line) => lines.push(line), settings })
  t.after(stop)
  for (const round of [1, 2]) {
    const before = postmasterOf(home)
    assert.ok(before)
    process.kill(before, 'SIGKILL')
    const restarts = () => lines.filter((line) => line.startsWith('PostgreSQL runs again')).length
    await until(() => restarts() >= round, 'it runs again')
    assert.equal(restarts(), round)
    assert.notEqual(postmasterOf(home), before)
    assert.equal(await ask(url, 'select 1'), 1)
  }
})

test('files that a crash leaves in the folder do not prevent a start', async (t) => {
  const home = temporaryHome(t)
  const reused = { pid: process.pid, start: 'another process, long ago', since: '2026-01-01T00:00:00.000Z' }
  writeFileSync(join(home, 'drover.lock'), JSON.stringify(reused))
  mkdirSync(join(home, 'postgres', 'making-1', 'base'), { recursive: true })
  const { url, stop } = await startEmbeddedPostgres({ home, log: silent, settings })
  assert.equal(await ask(url, 'select 1'), 1)
  assert.equal(existsSync(join(home, 'postgres', 'making-1')), false)
  await stop()

  const data = join(home, 'postgres', 'data')
  writeFileSync(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n1\n5432\n\n127.0.0.1\n\nready\n`)
  const again = await startEmbeddedPostgres({ home, log: silent, settings })
  assert.equal(again.adopted, false)
  await again.stop()
})

test('a stop sends no signal to a database that has ended: another process may have its id', async (t) => {
  const home = temporaryHome(t)
  const lines: string[] = []
  const { stop } = await startEmbeddedPostgres({ home, log: (line) => lines.push(line), settings })
  const pid = postmasterOf(home)
  assert.ok(pid)
  renameSync(join(home, 'postgres', 'data'), join(home, 'postgres', 'lost'))
  process.kill(pid, 'SIGKILL')
  await until(() => lines.some((line) => line.startsWith('PostgreSQL did not start')), 'it cannot start')
  const kill = t.mock.method(process, 'kill', () => true)
  await stop()
  assert.deepEqual(
    kill.mock.calls.map((call) => call.arguments).filter(([, signal]) => signal !== 0),
    [],
  )
})

test('PostgreSQL does not get Drover’s secrets, and Drover follows no symbolic link in its folder', async (t) => {
  const home = temporaryHome(t)
  process.env.DROVER_SECRET_KEY = 'not for PostgreSQL'
  t.after(() => delete process.env.DROVER_SECRET_KEY)
  const first = await startEmbeddedPostgres({ home, log: silent, settings })
  if (process.platform === 'linux') {
    const variables = readFileSync(`/proc/${postmasterOf(home)}/environ`, 'utf8')
    assert.match(variables, /(^|\0)PATH=/)
    assert.doesNotMatch(variables, /DROVER_SECRET_KEY/)
  }
  await first.stop()

  const target = join(home, 'another file')
  writeFileSync(target, '1\n')
  const linkTo = (name: string) => {
    rmSync(join(home, 'postgres', name))
    symlinkSync(target, join(home, 'postgres', name))
  }
  linkTo('port')
  const again = await startEmbeddedPostgres({ home, log: silent, settings })
  await again.stop()
  assert.ok(lstatSync(join(home, 'postgres', 'port')).isFile())
  for (const name of ['postgres.log', 'password']) {
    linkTo(name)
    await assert.rejects(
      startEmbeddedPostgres({ home, log: silent, settings }),
      new RegExp(`${name} is a symbolic link`),
    )
  }
  assert.equal(readFileSync(target, 'utf8'), '1\n')
})

test('root keeps the files elsewhere when PostgreSQL may not enter the home', {
  skip: !isRoot,
}, async (t) => {
  const home = temporaryHome(t)
  chmodSync(home, 0o700)
  const lines: string[] = []
  const { url, stop } = await startEmbeddedPostgres({ home, log: (line) => lines.push(line), settings })
  const elsewhere = readlinkSync(join(home, 'postgres'))
  t.after(() => rmSync(elsewhere, { recursive: true }))
  assert.equal(await ask(url, 'select 1'), 1)
  await stop()
  assert.match(lines[0] ?? '', /cannot enter .*: its files are in \/var\/lib\/drover-/)
  const again = await startEmbeddedPostgres({ home, log: silent, settings })
  assert.equal(again.url, url)
  await again.stop()
})

test('an ordinary user runs PostgreSQL as themselves', { skip: !isRoot }, async (t) => {
  const home = temporaryHome(t)
  const user = postgresUser()
  if (!user || !canEnter(fileURLToPath(new URL('.', import.meta.url)), user))
    return t.skip('no access for others')
  chownSync(home, user.uid, user.gid)
  const other = await otherProcess(home, 'stay', { uid: user.uid, gid: user.gid })
  assert.equal(await ask(other.url, 'select 1'), 1)
  assert.match(readFileSync(join(home, 'drover.lock'), 'utf8'), new RegExp(`"pid":${other.child.pid},`))
  other.child.kill('SIGKILL')
  await other.exited
  const { adopted, stop } = await startEmbeddedPostgres({ home, log: silent, settings })
  assert.equal(adopted, true)
  await stop()

  const stranger = spawn('sleep', ['60'], { uid: user.uid, gid: user.gid, stdio: 'ignore' })
  t.after(() => stranger.kill())
  const data = join(home, 'postgres', 'data')
  writeFileSync(join(data, 'postmaster.pid'), `${stranger.pid}\n${data}\n1\n5432\n\n127.0.0.1\n\nready\n`)
  const again = await startEmbeddedPostgres({ home, log: silent, settings })
  assert.equal(again.adopted, false)
  await again.stop()
})
