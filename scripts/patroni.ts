/**
 * Kills the primary of a Patroni cluster under load, again and again, with the settings of deploy/patroni: two PostgreSQL
 * servers, etcd, two api and two worker processes that know both servers. No acknowledged write may be missing, and no
 * delivery booked twice. It also measures planned switchovers.
 *
 *   node scripts/with-node.mjs scripts/patroni.ts --rounds 20 --switch-overs 3
 *
 * Needs Patroni 4 and etcd: `PATRONI` and `ETCD` name them, such as PATRONI="/usr/bin/python3 -m patroni".
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '../src/store/db/migrate.ts'
import { type CleanUps, owned, withCleanUps } from '../test/harness/clean-ups.ts'
import { toCount } from '../test/harness/options.ts'
import { startPatroni } from './fail-over/patroni.ts'
import { shopDuring } from './fail-over/shoppers.ts'

const BETWEEN_MS = 2_000

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, 'switch-overs': { type: 'string', default: '3' } },
})
const rounds = toCount('rounds', values.rounds)
const switchOvers = toCount('switch-overs', values['switch-overs'], 0)
await withCleanUps(async (cleanUps) => {
  process.exitCode = (await failOver(cleanUps)) ? 0 : 1
})

async function failOver(cleanUps: CleanUps): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'drover-patroni-'))
  chmodSync(home, 0o777)
  let isGood = false
  cleanUps.after(() => {
    if (isGood) rmSync(home, { recursive: true, force: true })
    else console.error(`The logs are in ${home}.`)
  })
  const database = owned(cleanUps, await startPatroni(home))
  await migrate(database.url)
  const killed: Change[] = []
  const planned: Change[] = []
  const { moments, isProved } = await shopDuring(cleanUps, database.url, async () => {
    for (let round = 1; round <= rounds; round++) {
      await sleep(BETWEEN_MS)
      const fromMs = performance.now()
      const dead = await database.killLeader()
      await database.awaitLeader((name) => name !== dead, { withStandby: false })
      killed.push({ fromMs, leaderMs: performance.now() })
      database.start(dead)
      await database.awaitLeader((name) => name !== dead, { withStandby: true })
      console.error(`${round}/${rounds}: ${dead} was killed and now follows the new leader`)
    }
    for (let round = 1; round <= switchOvers; round++) {
      await sleep(BETWEEN_MS)
      const before = await database.leader()
      const fromMs = performance.now()
      await database.switchOver()
      await database.awaitLeader((name) => name !== before, { withStandby: false })
      planned.push({ fromMs, leaderMs: performance.now() })
      await database.awaitLeader((name) => name !== before, { withStandby: true })
      console.error(`switchover ${round} from ${before}`)
    }
    await sleep(BETWEEN_MS)
  })
  isGood = await isProved({
    'kills of the primary': killed.length,
    'seconds from a kill to the next create': rangeOf(killed.map((one) => pauseOf(one, moments))),
    'planned switchovers': planned.length,
    'seconds without creates in a switchover': rangeOf(planned.map((one) => longestGap(one, moments))),
  })
  return isGood
}

/** When the leader was killed or switched over, and when another server was seen to lead. */
type Change = { fromMs: number; leaderMs: number }

/** A create that was in progress may still return after the kill, so only creates by the new leader count. */
function pauseOf({ fromMs, leaderMs }: Change, moments: readonly number[]): number {
  // `awaitLeader` polls, so the new leader may have taken writes a little before it was seen.
  const first = moments.find((atMs) => atMs > leaderMs - 1_000 && atMs > fromMs + 1_000)
  return ((first ?? Number.POSITIVE_INFINITY) - fromMs) / 1_000
}

function longestGap({ fromMs, leaderMs }: Change, moments: readonly number[]): number {
  const around = moments.filter((atMs) => atMs > fromMs - 1_000 && atMs < leaderMs + 10_000)
  return Math.max(...around.slice(1).map((atMs, n) => atMs - (around[n] as number))) / 1_000
}

function rangeOf(seconds: readonly number[]): string {
  if (seconds.length === 0) return 'none'
  const sorted = [...seconds].sort((a, b) => a - b).map((one) => one.toFixed(1))
  return `${sorted[0]} to ${sorted.at(-1)}, median ${sorted[Math.floor(sorted.length / 2)]}`
}
