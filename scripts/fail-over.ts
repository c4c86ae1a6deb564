/**
 * Tests a PostgreSQL failover to a standby under load: two clusters with streaming replication on this
 * machine, two api and two worker processes behind one address. The primary is killed after its standby has
 * been unreachable for a while; afterwards no acknowledged write may be missing, and no delivery booked
 * twice.
 *
 *   node scripts/with-node.mjs scripts/fail-over.ts
 *   node scripts/with-node.mjs scripts/fail-over.ts --asynchronous     shows what is lost without synchronous replication
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '../src/store/db/migrate.ts'
import { type CleanUps, owned, withCleanUps } from '../test/harness/clean-ups.ts'
import { startReplicatedDatabase } from '../test/harness/replicated-database.ts'
import { startTcpProxy } from '../test/harness/tcp-proxy.ts'
import { freePort } from '../test/packaged-process.ts'
import { shopDuring } from './fail-over/shoppers.ts'

const BEFORE_MS = 5_000
/** How long the standby is cut off before the primary dies: the primary's last commits exist only there. */
const HELD_MS = 1_000
/** How long until an operator notices that the primary is gone. */
const NOTICED_MS = 500
const AFTER_MS = 5_000

const { values } = parseArgs({ options: { asynchronous: { type: 'boolean', default: false } } })
await withCleanUps(async (cleanUps) => {
  process.exitCode = (await failOver(cleanUps)) ? 0 : 1
})

async function failOver(cleanUps: CleanUps): Promise<boolean> {
  const database = await startReplicatedDatabase(cleanUps, { max_connections: '200' })
  await migrate(database.url)
  if (!values.asynchronous) await database.makeSynchronous()
  let { port } = new URL(database.url)
  // Like a virtual IP address or a managed database's host name.
  const address = owned(cleanUps, await startTcpProxy(() => Number(port)))
  const pointTo = (next: string): void => {
    port = next
    address.cut('reset')
  }
  const url = new URL(database.url)
  url.port = `${address.port}`

  const nowhere = await freePort()
  const { result, moments, isProved } = await shopDuring(cleanUps, url.href, async () => {
    await sleep(BEFORE_MS)
    database.replication.set({ kind: 'black_hole' })
    await sleep(HELD_MS)
    const killedMs = performance.now()
    database.killPrimary()
    pointTo(nowhere)
    await sleep(NOTICED_MS)
    const promotedFromMs = performance.now()
    await database.promote()
    pointTo(new URL(database.readUrl).port)
    const openMs = performance.now()
    await sleep(AFTER_MS)
    return { killedMs, promotedFromMs, openMs }
  })
  const { killedMs, promotedFromMs, openMs } = result
  const again = moments.find((atMs) => atMs > openMs)
  const proved = await isProved({
    replication: values.asynchronous ? 'asynchronous' : 'synchronous',
    'standby out of reach before the primary died, ms': HELD_MS,
    'creates acknowledged before it died': moments.filter((atMs) => atMs <= killedMs).length,
    'creates acknowledged after the promotion': moments.filter((atMs) => atMs > openMs).length,
    'until an operator noticed the failure, ms': NOTICED_MS,
    'promotion, ms': Math.round(openMs - promotedFromMs),
    'from the kill to the first create, ms': again === undefined ? null : Math.round(again - killedMs),
  })
  return proved && again !== undefined
}
