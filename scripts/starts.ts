/**
 * Runs many first starts of `npm start` while all cores are busy and requests arrive. No start may end by itself, and
 * each must stop cleanly. It counts outcomes and measures no times.
 *
 *   npm run starts                       50 starts, four burners a core
 *   npm run starts -- --starts=5 --burners=2 --nice=10
 */
import { parseArgs } from 'node:util'
import { withBurners } from './starts/burners.ts'
import { type Start, startOnce } from './starts/start-once.ts'

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '50' },
    burners: { type: 'string', default: '4' },
    nice: { type: 'string', default: '0' },
  },
})
const starts = Number(values.starts)
const seen: Start[] = []
await withBurners({ perCore: Number(values.burners), nice: Number(values.nice) }, async () => {
  for (let at = 1; at <= starts; at++) {
    const start = await startOnce()
    seen.push(start)
    console.log(`${at}/${starts}: ${start.outcome}, ${start.answered} requests answered`)
    if (start.outcome !== 'served') console.log(start.output)
  }
})

const amounts = new Map<string, number>()
for (const { outcome } of seen) amounts.set(outcome, (amounts.get(outcome) ?? 0) + 1)
console.table({ ...Object.fromEntries(amounts), 'of starts': starts })
process.exitCode = amounts.get('served') === starts ? 0 : 1
