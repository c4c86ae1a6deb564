import { setTimeout as sleep } from 'node:timers/promises'
import { startBenchDatabase } from '../world/database.ts'
import { processFigures } from '../world/process-figures.ts'
import { liftLimits, startService } from '../world/service.ts'
import type { World } from '../world/world.ts'
import { createLoad } from './creates.ts'
import { atMost, type Figure } from './figure.ts'
import { QUOTE, quoteLoad } from './quotes.ts'

const SETTLE_MS = 4_000
const CONNECTIONS = 64

/** Resident memory of a fresh service process, nothing collected by force. PostgreSQL's own is not in it. */
export async function memoryFigures(world: World): Promise<Figure[]> {
  const database = await startBenchDatabase()
  // The first start makes the demo accounts and leaves compiled code for those that follow.
  await (await startService(database.home, database.url)).stop()
  const service = await startService(database.home, database.url)
  const { generator, plan } = world
  try {
    await liftLimits(service)
    await sleep(SETTLE_MS)
    const idle = memoryOf(service.pid)
    if (idle === null) return []
    const until = { requests: plan.fill }
    await generator.run({ ...createLoad(service, CONNECTIONS, plan), warmUpMs: 0, until }, service.pid)
    await generator.run({ ...quoteLoad({ ...world, service }, QUOTE), warmUpMs: 0, until }, service.pid)
    await sleep(SETTLE_MS)
    const after = memoryOf(service.pid) as number
    const fill = plan.fill.toLocaleString('en')
    return [
      { name: 'memory, idle', goal: atMost(110, 90), value: idle, unit: 'MB', beside: '' },
      {
        name: `memory after ${fill} creates and ${fill} quotes`,
        goal: atMost(180, 130),
        value: after,
        unit: 'MB',
        beside: '',
      },
    ]
  } finally {
    await service.stop()
    await database.stop()
  }
}

function memoryOf(pid: number): number | null {
  return processFigures(pid)?.memoryMb ?? null
}
