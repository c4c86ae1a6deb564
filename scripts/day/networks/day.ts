import { freePort } from '../../../test/packaged-process.ts'
import { DAY_FROM_MS } from '../plan.ts'
import type { Telling } from '../run-day.ts'
import { openShop } from '../shop.ts'
import { startHouse } from '../system-under-test.ts'
import { networkCarriers, SECRETS } from './account.ts'
import { type Evidence, gather } from './evidence.ts'
import { startFleet } from './fleet.ts'
import { planNetworkDay } from './jobs.ts'
import { playNetworks } from './run-networks.ts'
import { PLANTS, type PlantName } from './seeded-bugs.ts'

type Asked = { seed: number; count: number; operatorToken: string; plant: PlantName | null; tell: Telling }

/** Runs the day with the carriers' fakes, on a service of its own; stops everything that it started. */
export async function networkDay({ seed, count, operatorToken, plant, tell }: Asked): Promise<Evidence> {
  const fleet = await startFleet(DAY_FROM_MS)
  try {
    const port = `${await freePort()}`
    // Mails contain its address, so it must be known beforehand.
    const env = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, SMTP_URL: fleet.smtpUrl }
    const house = await startHouse(env)
    try {
      const furniture = { document: { carriers: networkCarriers(fleet.urls) }, secrets: SECRETS }
      const shop = await openShop(house.url, operatorToken, furniture)
      await fleet.report(house.url, shop.accountId)
      if (plant) await PLANTS[plant](fleet)
      const jobs = planNetworkDay(seed, count)
      const played = await playNetworks(shop, fleet, jobs, tell)
      return await gather(shop, fleet, jobs, played)
    } finally {
      await house.stop()
    }
  } finally {
    await fleet.stop()
  }
}
