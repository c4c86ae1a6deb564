/** A process of the product with seeded bugs: `SEEDED_BUGS=no_intent node process.ts worker`. */

import { loadConfig } from '../../src/config.ts'
import { makeLog } from '../../src/log.ts'
import { toSeededBugs } from '../harness/seeded-bugs.ts'
import { startSeeded } from '../harness/seeded-process.ts'
import { SEEDED_BUGS } from './seeded-bugs.ts'

const config = loadConfig()
const names = toSeededBugs(SEEDED_BUGS, (process.env.SEEDED_BUGS ?? '').split(','))
await startSeeded(
  process.argv[2] === 'api' ? 'api' : 'worker',
  { config, databaseUrl: config.databaseUrl ?? '', log: makeLog(config.logLevel) },
  names.map((name) => SEEDED_BUGS[name]),
)
