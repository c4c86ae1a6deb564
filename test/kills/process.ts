/**
 * One process of the fleet, as `node process.ts '<ProcessOrder as JSON>'`: the product's own service, with carriers
 * in a separate process, so that a killed worker's call still ends at the carrier.
 */

import { composeApp } from '../../src/bootstrap/composition-root.ts'
import { startService } from '../../src/bootstrap/service.ts'
import { loadConfig } from '../../src/config.ts'
import { makeLog } from '../../src/log.ts'
import { startCarrierServer } from './carrier-server.ts'
import { remoteFixture } from './remote-fixture.ts'
import { type SeededBugName, seedBugs } from './seeded-bugs.ts'

export type ProcessOrder = {
  role: 'api' | 'worker' | 'carriers'
  databaseUrl: string
  secretKey: string
  port: number
  carriersUrl: string
  leaseMs: number | null
  /** Seeded bugs of this worker. */
  seededBugs: readonly SeededBugName[]
}

const order: ProcessOrder = JSON.parse(process.argv[2] ?? '')
const log = makeLog(process.env.TEST_LOG ?? 'silent')
// The parent has died: nobody is left to stop this process.
process.on('disconnect', () => process.exit())
process.send?.({ address: await open() })

async function open(): Promise<string | null> {
  if (order.role === 'carriers') return startCarrierServer(order, log)
  const config = loadConfig({
    PORT: `${order.port}`,
    DROVER_SECRET_KEY: order.secretKey,
    DROVER_HOME: '/nonexistent',
  })
  const parts = {
    sandbox: remoteFixture(order.carriersUrl),
    ...(order.leaseMs === null ? {} : { leaseMs: order.leaseMs }),
  }
  const common = { config, databaseUrl: order.databaseUrl, log }
  if (order.seededBugs.length === 0) {
    const roles = { api: order.role === 'api', worker: order.role === 'worker' }
    return (await startService({ ...common, roles, version: 'test', parts })).address
  }
  const naive = composeApp({ ...common, name: 'naive worker', ...parts })
  seedBugs(naive, order.seededBugs)
  await naive.start({ work: true })
  return null
}
