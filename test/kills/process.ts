/**
 * One process of the fleet, as `node process.ts '<ProcessOrder as JSON>'`: the product's own service, with carriers
 * in a separate process, so that a killed worker's call still ends at the carrier.
 */

import { startService } from '../../src/bootstrap/service.ts'
import { loadConfig } from '../../src/config.ts'
import { makeLog } from '../../src/log.ts'
import { hasSeededBug } from '../harness/seeded-bugs.ts'
import { startSeeded } from '../harness/seeded-process.ts'
import { startCarrierServer } from './carrier-server.ts'
import { remoteFixture } from './remote-fixture.ts'
import { SEEDED_BUGS, type SeededBugName } from './seeded-bugs.ts'

export type ProcessOrder = {
  role: 'api' | 'worker' | 'carriers'
  databaseUrl: string
  secretKey: string
  port: number
  carriersUrl: string
  leaseMs: number | null
  seededBugs: readonly SeededBugName[]
}

const order: ProcessOrder = JSON.parse(process.argv[2] ?? '')
const log = makeLog(process.env.TEST_LOG ?? 'silent')
// The parent has died: nobody is left to stop this process.
process.on('disconnect', () => process.exit())
if (order.role === 'carriers') process.send?.({ address: await startCarrierServer(order, log) })
else await open(order.role)

async function open(role: 'api' | 'worker'): Promise<void> {
  const config = loadConfig({
    ...(role === 'api' ? { PORT: `${order.port}` } : { DROVER_WORKER_PORT: `${order.port}` }),
    HOST: '127.0.0.1',
    DROVER_SECRET_KEY: order.secretKey,
    DROVER_HOME: '/nonexistent',
  })
  const parts = {
    sandbox: remoteFixture(order.carriersUrl),
    ...(order.leaseMs === null ? {} : { leaseMs: order.leaseMs }),
  }
  const common = { config, databaseUrl: order.databaseUrl, log }
  const bugs = order.seededBugs.map((name) => SEEDED_BUGS[name])
  if (hasSeededBug(role, bugs)) return startSeeded(role, { ...common, ...parts }, bugs)
  const roles = { api: role === 'api', worker: role === 'worker' }
  await startService({ ...common, roles, version: 'test', parts })
}
