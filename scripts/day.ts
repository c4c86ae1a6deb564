/**
 * A day of mixed deliveries, played by the clock in the sandbox: none may be stuck, lost or booked twice.
 *
 *   npm run day                                            5,000 deliveries, on a service of its own
 *   npm run day -- --deliveries 500 --seed 7 --json
 *   npm run day -- --url http://host:port                  on a service that runs (DROVER_OPERATOR_TOKEN)
 */
import { parseArgs } from 'node:util'
import { showProgress } from './day/bar.ts'
import { startHouse } from './day/house.ts'
import { planDay } from './day/plan.ts'
import { play } from './day/play.ts'
import { reckon } from './day/reckoning.ts'
import { openShop } from './day/shop.ts'
import { summarise, summaryText } from './day/summary.ts'

const PACE = { dayStepMinutes: 60, laterStepHours: 24 }

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    url: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const count = Number(values.deliveries)
const seed = Number(values.seed)
if (!Number.isSafeInteger(count) || count < 1) throw new Error('--deliveries must be a whole number above 0.')
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.')

const house = values.url ? { url: values.url.replace(/\/+$/, ''), stop: async () => {} } : await startHouse()
try {
  const startMs = performance.now()
  const shop = await openShop(house.url, process.env.DROVER_OPERATOR_TOKEN ?? 'demo-operator')
  const progress = showProgress(count)
  const played = await play(shop, planDay(seed, count), PACE, progress.tell)
  const reckoning = await reckon(shop, played)
  progress.end()
  const summary = summarise(reckoning, played, (performance.now() - startMs) / 1_000)
  console.log(values.json ? JSON.stringify(summary) : summaryText(summary))
  if (summary.wrong.length > 0) process.exitCode = 1
} finally {
  await house.stop()
}
