/**
 * Tests a rolling upgrade under load: two api and two worker processes of an earlier commit on one PostgreSQL,
 * today's migrations, then one process after the other replaced. No request may fail, and no acknowledged write may
 * be missing afterwards.
 *
 *   node scripts/with-node.mjs scripts/rolling-upgrade.ts [commit]
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { notBooked, setDemoClock } from './rolling-upgrade/booked.ts'
import { runLoad } from './rolling-upgrade/load.ts'
import { type Member, runToEnd, startMember } from './rolling-upgrade/member.ts'
import { beforeNewestMigration, unpack } from './rolling-upgrade/releases.ts'

const STEP_MS = 2_000

const project = resolve(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'drover-upgrade-'))
chmodSync(home, 0o755)
const before = join(home, 'before')
const commit = process.argv[2] ?? beforeNewestMigration(project)
console.log(`before: ${unpack(project, commit, before)}`)
const database = await startEmbeddedPostgres({ home: join(home, 'data'), log: () => {} })
const env = {
  DATABASE_URL: database.url,
  DROVER_HOME: home,
  DROVER_SECRET_KEY: 'the key of a rolling upgrade, long enough',
  PUBLIC_URL: 'http://drover.test',
}
let running: Member[] = []
try {
  process.exitCode = (await upgrade()) ? 0 : 1
} finally {
  await Promise.allSettled(running.map((member) => member.stop()))
  await database.stop()
  rmSync(home, { recursive: true, force: true })
}

async function upgrade(): Promise<boolean> {
  const first = await startMember(before, 'start', env) // Creates the demo account.
  await setDemoClock(first.url)
  await first.stop()
  const start = (folder: string, role: 'api' | 'worker') => startMember(folder, role, env)
  const workers = [await start(before, 'worker'), await start(before, 'worker')]
  const apis = [await start(before, 'api'), await start(before, 'api')]
  running = [...workers, ...apis]

  const stopping = new AbortController()
  const loading = runLoad(() => apis.map(({ url }) => url), stopping.signal)
  await sleep(STEP_MS)
  console.log('migrating, while the release before runs')
  await runToEnd(project, 'migrate', env)
  await sleep(STEP_MS)
  for (const [role, members] of [['worker', workers] as const, ['api', apis] as const]) {
    for (const old of [...members]) {
      const fresh = await start(project, role)
      running.push(fresh)
      members.push(fresh)
      await sleep(STEP_MS / 4) // Time for the balancer to see the new process.
      members.splice(members.indexOf(old), 1)
      await sleep(STEP_MS / 4) // As `preStop` does: the process leaves the balancer first.
      await old.stop()
      running.splice(running.indexOf(old), 1)
      console.log(`replaced: ${role}`)
    }
  }
  await sleep(STEP_MS)
  stopping.abort()
  const { answered, failed, askedAgain, acknowledged } = await loading

  const missing = await notBooked(
    apis[0]?.url as string,
    acknowledged.map((reference) => ({ reference })),
  )
  console.table({
    ...answered,
    'retried, because no process listened': askedAgain,
    failed: failed.length,
    'acknowledged creates': acknowledged.length,
    'acknowledged and missing, or not booked': missing.length,
  })
  for (const line of [...failed, ...missing].slice(0, 10)) console.error(line)
  return failed.length === 0 && missing.length === 0 && acknowledged.length > 0
}
