/**
 * Tests a PostgreSQL failover to a standby under load: two clusters with streaming replication on this
 * machine, two api and two worker processes behind one address. The primary is killed after its standby has
 * been unreachable for a while; afterwards no acknowledged write may be missing, and no delivery booked
 * twice.
 *
 *   node scripts/with-node.mjs scripts/fail-over.ts
 *   node scripts/with-node.mjs scripts/fail-over.ts --asynchronous     shows what is lost without synchronous replication
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findLosses, startFleet } from './fail-over/fleet.ts'
import { type Pair, startPair } from './fail-over/pair.ts'
import { goShopping } from './fail-over/shoppers.ts'
import type { Member } from './rolling-upgrade/member.ts'

const BEFORE_MS = 5_000
/** How long the standby is cut off before the primary dies: the primary's last commits exist only there. */
const HELD_MS = 1_000
/** How long until an operator notices that the primary is gone. */
const NOTICED_MS = 500
const AFTER_MS = 5_000

const { values } = parseArgs({ options: { asynchronous: { type: 'boolean', default: false } } })
const home = mkdtempSync(join(tmpdir(), 'drover-fail-over-'))
chmodSync(home, 0o755)
let pair: Pair | null = null
const running: Member[] = []
try {
  pair = await startPair(home, { synchronous: !values.asynchronous })
  process.exitCode = (await failOver(pair)) ? 0 : 1
} finally {
  await Promise.allSettled(running.map((member) => member.stop()))
  await pair?.stop()
  rmSync(home, { recursive: true, force: true })
}

async function failOver(database: Pair): Promise<boolean> {
  const urls = await startFleet(database.url, home, running)

  const stopping = new AbortController()
  const shopping = goShopping(urls, stopping.signal)
  await sleep(BEFORE_MS)
  database.holdReplication()
  await sleep(HELD_MS)
  const killedMs = performance.now()
  database.killPrimary()
  await sleep(NOTICED_MS)
  const promotedMs = await database.promote()
  const openMs = performance.now()
  await sleep(AFTER_MS)
  stopping.abort()
  const { created, unknownAtFirst, wrong } = await shopping

  const { missing, doubled } = await findLosses(urls[0] as string, { created })
  const moments = [...created.values()].map(({ atMs }) => atMs).sort((a, b) => a - b)
  const again = moments.find((atMs) => atMs > openMs)
  console.table({
    replication: values.asynchronous ? 'asynchronous' : 'synchronous',
    'standby out of reach before the primary died, ms': HELD_MS,
    'creates acknowledged before it died': moments.filter((atMs) => atMs <= killedMs).length,
    'creates acknowledged after the promotion': moments.filter((atMs) => atMs > openMs).length,
    'outcomes unknown at first, all known at the end': unknownAtFirst,
    'until an operator noticed the failure, ms': NOTICED_MS,
    'promotion, ms': promotedMs,
    'from the kill to the first create, ms': again === undefined ? null : Math.round(again - killedMs),
    'acknowledged and missing, or not booked': missing.length,
    'double booked': doubled.length,
    'responses that the failover does not explain': wrong.length,
  })
  for (const line of [...missing, ...doubled, ...wrong].slice(0, 10)) console.error(line)
  return missing.length + doubled.length + wrong.length === 0 && again !== undefined
}
