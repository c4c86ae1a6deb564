import { setTimeout as sleep } from 'node:timers/promises'
import { startBenchDatabase } from '../environment/database.ts'
import type { Environment } from '../environment/environment.ts'
import { processFigures } from '../environment/process-figures.ts'
import { liftLimits, type Service, startService } from '../environment/service.ts'
import { createGrowth } from './create-growth.ts'
import { createLoad } from './creates.ts'
import { atMost, type Curve, type Figure } from './figure.ts'
import { QUOTE, quoteLoad } from './quotes.ts'

const CONNECTIONS = 64
/** Samples the memory on the way to each number of creates. */
const LOOKS = 8

/**
 * Resident memory of a fresh service process without a forced collection: idle, after the given number of creates and quotes,
 * and after many more creates; without PostgreSQL's own. It also shows whether creates slow down.
 */
export async function memoryFigures(environment: Environment): Promise<Figure[]> {
  const database = await startBenchDatabase()
  // The first start creates the demo accounts and leaves compiled code for later ones.
  await (await startService(database.home, database.url)).stop()
  const service = await startService(database.home, database.url)
  const { generator, plan } = environment
  const here = { ...environment, database, service }
  try {
    await liftLimits(service)
    const idle = await settledMb(service, plan.quietMs)
    if (idle === null) return []
    const creates = createGrowth(here)
    const points: [creates: number, mb: number][] = [[0, idle]]
    const createUpTo = async (rows: number): Promise<void> => {
      const requests = Math.max(1, Math.ceil((rows - creates.made()) / LOOKS))
      while (creates.made() < rows) {
        const load = { ...createLoad(service, CONNECTIONS, plan), warmUpMs: 0, until: { requests } }
        creates.count(await generator.run(load, service.pid))
        points.push([creates.made(), processFigures(service.pid)?.memoryMb ?? Number.NaN])
      }
    }
    await createUpTo(plan.fill / 10)
    await creates.measure()
    await createUpTo(plan.fill)
    const quotes = { ...quoteLoad(here, QUOTE), warmUpMs: 0, until: { requests: plan.fill } }
    await generator.run(quotes, service.pid)
    const after = (await settledMb(service, plan.quietMs)) as number
    const [fill, all] = [plan.fill.toLocaleString('en'), plan.max.toLocaleString('en')]
    const figures = [
      figure('memory, idle', atMost(110, 90), idle),
      figure(`memory after ${fill} creates and ${fill} quotes`, atMost(180, 130), after),
    ]
    if (plan.max > plan.fill) {
      await createUpTo(plan.max)
      const max = (await settledMb(service, plan.quietMs)) as number
      points.push([creates.made(), max])
      const curve: Curve = { x: 'creates', y: 'MB, as they are made', logarithmic: false, points }
      const name = `memory, growth from ${fill} to ${all} creates`
      figures.push({ ...figure(name, atMost(20, 5), max - after), curve })
    }
    await creates.measure()
    return [...figures, creates.figure()]
  } finally {
    await service.stop()
    await database.stop()
  }
}

function figure(name: string, goal: Figure['goal'], value: number): Figure {
  return { name, goal, value, unit: 'MB', beside: '' }
}

async function settledMb({ pid }: Service, quietMs: number): Promise<number | null> {
  await sleep(quietMs)
  return processFigures(pid)?.memoryMb ?? null
}
