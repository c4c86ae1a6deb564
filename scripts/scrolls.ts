/** Scrolls through ten thousand deliveries in the portal's lists and prints the frame rates: `npm run scrolls`. */
import { spawnSync } from 'node:child_process'

const { status } = spawnSync(
  process.execPath,
  ['scripts/test.ts', 'test/pages/many', '--database=embedded'],
  {
    stdio: 'inherit',
    env: { ...process.env, DELIVERIES: '10000' },
  },
)
process.exitCode = status ?? 1
