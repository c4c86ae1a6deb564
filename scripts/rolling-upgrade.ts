/**
 * Tests a rolling upgrade under load: two api and two worker processes of an earlier commit on one PostgreSQL,
 * today's migrations, then one process after the other replaced. No request may fail, and no acknowledged write may
 * be missing afterwards.
 *
 *   node scripts/with-node.mjs scripts/rolling-upgrade.ts [commit]
 */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { operatorOf, setClock } from '../test/harness/accounts.ts'
import { type CleanUps, owned, temporaryHome, withCleanUps } from '../test/harness/clean-ups.ts'
import { OPENS_AT } from './fail-over/shoppers.ts'
import { runLoad } from './rolling-upgrade/load.ts'
import { askDemo, startMember } from './rolling-upgrade/member.ts'
import { notBooked } from './rolling-upgrade/not-booked.ts'
import { beforeNewestMigration, unpack } from './rolling-upgrade/releases.ts'

const STEP_MS = 2_000

const project = resolve(import.meta.dirname, '..')
await withCleanUps(async (cleanUps) => {
  process.exitCode = (await upgrade(cleanUps)) ? 0 : 1
})

async function upgrade(cleanUps: CleanUps): Promise<boolean> {
  const home = temporaryHome(cleanUps)
  const before = join(home, 'before')
  console.log(`before: ${unpack(project, process.argv[2] ?? beforeNewestMigration(project), before)}`)
  const database = owned(cleanUps, await startEmbeddedPostgres({ home: join(home, 'data'), log: () => {} }))
  const env = {
    DATABASE_URL: database.url,
    DROVER_HOME: home,
    DROVER_SECRET_KEY: 'the key of a rolling upgrade, long enough',
    PUBLIC_URL: 'http://drover.test',
  }
  const start = (folder: string, role: 'start' | 'api' | 'worker') => startMember(cleanUps, folder, role, env)
  const first = await start(before, 'start') // Creates the demo account.
  await setClock(operatorOf([first.url], 'demo-operator'), 'demo', () => Date.parse(OPENS_AT))
  await first.stop()
  const workers = [await start(before, 'worker'), await start(before, 'worker')]
  const apis = [await start(before, 'api'), await start(before, 'api')]

  const stopping = new AbortController()
  const loading = runLoad(() => apis.map(({ url }) => url), stopping.signal)
  await sleep(STEP_MS)
  console.log('migrating, while the release before runs')
  const migration = { env: { PATH: process.env.PATH, ...env } }
  await promisify(execFile)(process.execPath, [join(project, 'src/main.ts'), 'migrate'], migration)
  await sleep(STEP_MS)
  for (const [role, members] of [['worker', workers] as const, ['api', apis] as const]) {
    for (const old of [...members]) {
      const fresh = await start(project, role)
      members.push(fresh)
      await sleep(STEP_MS / 4) // Time for the balancer to see the new process.
      members.splice(members.indexOf(old), 1)
      await sleep(STEP_MS / 4) // As `preStop` does: the process leaves the balancer first.
      await old.stop()
      console.log(`replaced: ${role}`)
    }
  }
  await sleep(STEP_MS)
  stopping.abort()
  const { answered, failed, askedAgain, acknowledged } = await loading

  const missing = await notBooked(askDemo(apis[0]?.url as string), acknowledged)
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
