import { resolve } from 'node:path'
import { bookedOnce } from '../../test/harness/bookings.ts'
import { asker } from '../../test/harness/http.ts'
import { readSandboxLedger } from '../../test/harness/sandbox-ledger.ts'
import { notBooked, setDemoClock } from '../rolling-upgrade/booked.ts'
import { type Member, startMember } from '../rolling-upgrade/member.ts'
import type { Shopping } from './shoppers.ts'

const PROJECT = resolve(import.meta.dirname, '../..')

/**
 * Starts two api and two worker processes on a database with the demo account, and adds each to `running`. The caller stops
 * them. Returns the URLs of the api processes.
 */
export async function startFleet(databaseUrl: string, home: string, running: Member[]): Promise<string[]> {
  const env = {
    DATABASE_URL: databaseUrl,
    DROVER_HOME: home,
    DROVER_SECRET_KEY: 'the key of a fail-over test, long enough',
    PUBLIC_URL: 'http://drover.test',
    LOG_LEVEL: 'info',
  }
  const first = await startMember(PROJECT, 'start', env) // Creates the demo account.
  await setDemoClock(first.url)
  await first.stop()
  for (const role of ['api', 'api', 'worker', 'worker'] as const) {
    // Every request logs that the database is unavailable: this is expected.
    running.push(await startMember(PROJECT, role, env, () => {}))
  }
  return running.slice(0, 2).map(({ url }) => url)
}

/** Acknowledged deliveries that are missing or not booked, and those that were booked twice: a sentence each. */
export async function findLosses(
  url: string,
  { created }: Pick<Shopping, 'created'>,
): Promise<{ missing: string[]; doubled: readonly string[] }> {
  const acknowledged = [...created].map(([reference, { id }]) => ({ reference, id }))
  const missing = await notBooked(url, acknowledged)
  const ledgerEntries = await readSandboxLedger(asker(url, 'demo-operator'), 'demo')
  return { missing, doubled: bookedOnce({ ledgerEntries }).wrong }
}
