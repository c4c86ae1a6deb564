/** A process of the product with seeded bugs: `SEEDED_BUGS=no_intent node seeded-process.ts worker`. */

import { composeApp } from '../../src/bootstrap/composition-root.ts'
import { loadConfig } from '../../src/config.ts'
import { makeLog } from '../../src/log.ts'
import { startSeeded } from '../harness/seeded-process.ts'
import { seedInProcess } from './apply-seeded-bugs.ts'
import type { Role, SeededBugName } from './seeded-bugs.ts'

const role = process.argv[2] as Role
const config = loadConfig()
const parts = composeApp({
  config,
  databaseUrl: config.databaseUrl ?? '',
  name: `seeded ${role}`,
  log: makeLog(config.logLevel),
})
seedInProcess(role, parts, (process.env.SEEDED_BUGS ?? '').split(',') as SeededBugName[])
await startSeeded(role, parts, config)
