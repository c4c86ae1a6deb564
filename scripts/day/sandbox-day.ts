import { planDay } from './plan.ts'
import { type ReportProgress, runDay } from './run-day.ts'
import { openShop } from './shop.ts'
import { type Summary, summarise } from './summary.ts'
import { startSystem } from './system-under-test.ts'
import { verifyDay } from './verify-day.ts'

const PACE = { dayStepMinutes: 60, laterStepHours: 24 }

type DayOptions = {
  seed: number
  count: number
  operatorToken: string
  url: string | null
  onProgress: ReportProgress
}

/** Runs the day with the sandbox's carriers, on the service at `url` or on a service that it starts. */
export async function sandboxDay({
  seed,
  count,
  operatorToken,
  url,
  onProgress,
}: DayOptions): Promise<Summary> {
  const system = url ? { url: url.replace(/\/+$/, ''), stop: async () => {} } : await startSystem()
  try {
    const startMs = performance.now()
    const shop = await openShop(system.url, operatorToken)
    const played = await runDay(shop, planDay(seed, count), PACE, onProgress)
    const report = await verifyDay(shop, played)
    return summarise(report, played, (performance.now() - startMs) / 1_000)
  } finally {
    await system.stop()
  }
}
