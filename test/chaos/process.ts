/**
 * A process of the product with seeded bugs, or with the sandbox's carriers in another process:
 * `SEEDED_BUGS=no_intent node process.ts worker`. `LEASE_MS` shortens leases below what settings allow.
 */

import { startService } from '../../src/bootstrap/service.ts'
import { loadConfig } from '../../src/config.ts'
import { makeLog } from '../../src/log.ts'
import { hasSeededBug, toSeededBugs } from '../harness/seeded-bugs.ts'
import { startSeeded } from '../harness/seeded-process.ts'
import { remoteCarriers } from '../kills/sandbox-carriers.ts'
import { ALL_BUGS, bugsOf } from './seeded-bugs.ts'

const { SEEDED_BUGS = '', SANDBOX_URL, LEASE_MS } = process.env
const config = loadConfig()
const bugs = bugsOf(toSeededBugs(ALL_BUGS, SEEDED_BUGS.split(',').filter(Boolean)))
const role = process.argv[2] === 'api' ? 'api' : 'worker'
const common = { config, databaseUrl: config.databaseUrl ?? '', log: makeLog(config.logLevel) }
const parts = {
  ...(SANDBOX_URL === undefined ? {} : { sandbox: remoteCarriers(SANDBOX_URL) }),
  ...(LEASE_MS === undefined ? {} : { leaseMs: Number(LEASE_MS) }),
}
if (hasSeededBug(role, bugs)) await startSeeded(role, { ...common, ...parts }, bugs)
else {
  const roles = { api: role === 'api', worker: role === 'worker' }
  await startService({ ...common, roles, version: 'test', parts })
}
