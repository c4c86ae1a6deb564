import { freePort } from '../../../test/packaged-process.ts'
import { DAY_FROM_MS } from '../plan.ts'
import type { ReportProgress } from '../run-day.ts'
import { openShop } from '../shop.ts'
import { startSystem } from '../system-under-test.ts'
import { networkCarriers, SECRETS } from './account.ts'
import { type Evidence, gather } from './evidence.ts'
import { startFleet } from './fleet.ts'
import { planNetworkDay } from './jobs.ts'
import { runNetworks } from './run-networks.ts'
import { SEEDED_BUGS, type SeededBugName } from './seeded-bugs.ts'

type DayOptions = {
  seed: number
  count: number
  operatorToken: string
  seededBug: SeededBugName | null
  onProgress: ReportProgress
}

/** Runs the day with the carriers' fakes, on a service of its own; stops everything that it started. */
export async function networkDay({
  seed,
  count,
  operatorToken,
  seededBug,
  onProgress,
}: DayOptions): Promise<Evidence> {
  const fleet = await startFleet(DAY_FROM_MS)
  try {
    const port = `${await freePort()}`
    // Mails contain the service's address, so its port is chosen beforehand.
    const env = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, SMTP_URL: fleet.smtpUrl }
    const system = await startSystem(env)
    try {
      const furniture = { document: { carriers: networkCarriers(fleet.urls) }, secrets: SECRETS }
      const shop = await openShop(system.url, operatorToken, furniture)
      await fleet.report(system.url, shop.accountId)
      if (seededBug) await SEEDED_BUGS[seededBug].seed(fleet)
      const jobs = planNetworkDay(seed, count)
      const played = await runNetworks(shop, fleet, jobs, onProgress)
      return await gather(shop, fleet, jobs, played)
    } finally {
      await system.stop()
    }
  } finally {
    await fleet.stop()
  }
}
