import { planDay } from './plan.ts'
import { play, type Telling } from './run-day.ts'
import { openShop } from './shop.ts'
import { type Summary, summarise } from './summary.ts'
import { startHouse } from './system-under-test.ts'
import { reckon } from './verify-day.ts'

const PACE = { dayStepMinutes: 60, laterStepHours: 24 }

type Asked = { seed: number; count: number; operatorToken: string; url: string | null; tell: Telling }

/** The day among the sandbox's carriers, on the service at `url` or on one of its own. */
export async function sandboxDay({ seed, count, operatorToken, url, tell }: Asked): Promise<Summary> {
  const house = url ? { url: url.replace(/\/+$/, ''), stop: async () => {} } : await startHouse()
  try {
    const startMs = performance.now()
    const shop = await openShop(house.url, operatorToken)
    const played = await play(shop, planDay(seed, count), PACE, tell)
    const reckoning = await reckon(shop, played)
    return summarise(reckoning, played, (performance.now() - startMs) / 1_000)
  } finally {
    await house.stop()
  }
}
