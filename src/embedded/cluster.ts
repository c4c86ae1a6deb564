import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lchownSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { readNoFollow } from './no-follow.ts'
import { asUser, type PostgresUser } from './user.ts'

/** The database's files and the password for them. */
export type Cluster = { dataFolder: string; password: string }

type ClusterContext = { place: string; binaries: Binaries; user: PostgresUser; log: (line: string) => void }

/**
 * The cluster in `place`. Creates it if there is none, in a temporary folder that is renamed when complete,
 * so that a start that was killed half-way simply starts again.
 */
export async function ensureCluster(context: ClusterContext): Promise<Cluster> {
  const dataFolder = join(context.place, 'data')
  const passwordFile = join(context.place, 'password')
  if (!existsSync(dataFolder)) await makeCluster(context, dataFolder, passwordFile)
  return { dataFolder, password: readNoFollow(passwordFile).trim() }
}

async function makeCluster(context: ClusterContext, dataFolder: string, passwordFile: string): Promise<void> {
  const { place, binaries, user, log } = context
  const startedMs = performance.now()
  for (const entry of readdirSync(place)) {
    if (entry.startsWith('making-')) rmSync(join(place, entry), { recursive: true, force: true })
  }
  const password = randomBytes(24).toString('base64url')
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' })
  if (user) lchownSync(passwordFile, user.uid, user.gid)

  const making = join(place, `making-${process.pid}`)
  mkdirSync(making, { mode: 0o700 })
  if (user) lchownSync(making, user.uid, user.gid)
  await run(binaries('initdb'), [...INITDB, `--pwfile=${passwordFile}`, '-D', making], user)
  await run(binaries('postgres'), ['--single', '-D', making, 'template1'], user, firstSql(password))
  renameSync(making, dataFolder)
  log(`Created a PostgreSQL database in ${dataFolder} (${Math.round(performance.now() - startedMs)} ms).`)
}

/** PostgreSQL's own C.UTF-8: the same sort order on every platform, and no ICU. */
const INITDB = [
  '--username=postgres',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
  '--data-checksums',
  '--no-instructions',
]

/** `drover` owns its database and may create others (tests do); only `postgres` is a superuser. */
function firstSql(password: string): string {
  return `create role drover login createdb password '${password}';\ncreate database drover owner drover;\n`
}

/**
 * Runs a program to its end. The single-user server exits with success even after an error, so its output is
 * checked too.
 */
function run(program: string, args: string[], user: PostgresUser, input = ''): Promise<void> {
  return new Promise((done, fail) => {
    const child = execFile(program, args, { ...asUser(user), cwd: '/' }, (error, stdout, stderr) => {
      if (error || /\b(ERROR|FATAL):/.test(stderr)) {
        fail(new Error(`${program} failed: ${(stderr || stdout || String(error)).trim()}`))
      } else done()
    })
    child.stdin?.end(input)
  })
}
