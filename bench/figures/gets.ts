import type { Environment } from '../environment/environment.ts'
import { HOST } from '../environment/service.ts'
import { NUMBER, requestText } from '../load/load.ts'
import { median } from '../ratios.ts'
import { rotated } from '../rounds.ts'
import { atLeast, atMost, type Figure } from './figure.ts'
import { rateFigure, type Speed } from './ratio-figure.ts'

const CONNECTIONS = 16

/** A delivery read by its id, compared with the same select repeated alone. */
export async function getFigures(environment: Environment): Promise<Figure[]> {
  const { generator, service, limit, statements, plan } = environment
  const { token, port, pid } = service
  const ours = () =>
    generator.run(
      {
        host: HOST,
        port,
        connections: CONNECTIONS,
        request: requestText(`GET /demo/deliveries/${statements.rowsToGet.prefix}${NUMBER}`, {
          host: HOST,
          token,
        }),
        numbers: { from: 1, count: statements.rowsToGet.count },
        warmUpMs: plan.warmUpMs,
        until: { durationMs: plan.durationMs },
      },
      pid,
    )
  const select = async (): Promise<Speed> => ({
    perSecond: await limit.run({
      statements: [statements.get],
      clients: CONNECTIONS,
      numbers: { among: statements.rowsToGet.count, durationMs: plan.durationMs },
    }),
  })
  await ours()
  const rounds = await rotated<'ours' | 'limit', Speed>(plan.rounds, { ours, limit: select })
  return [
    rateFigure('get by id ÷ its select alone, 16 connections', atLeast(0.15, 0.3), rounds),
    ...(await listFigures(environment)),
  ]
}

/** The newest page of deliveries, requested repeatedly, as portals and shops do: the server's CPU time per request. */
async function listFigures({ generator, service, plan }: Environment): Promise<Figure[]> {
  const { token, port, pid } = service
  const cpu: number[] = []
  for (let round = 0; round < plan.rounds; round++) {
    const { cpuMicros, perSecond } = await generator.run(
      {
        host: HOST,
        port,
        connections: CONNECTIONS,
        request: requestText('GET /demo/deliveries?limit=50', { host: HOST, token }),
        numbers: { from: 1, count: 1 },
        warmUpMs: plan.warmUpMs,
        until: { durationMs: plan.durationMs },
      },
      pid,
    )
    if (cpuMicros === null || perSecond === 0) return []
    cpu.push(cpuMicros / 1_000)
  }
  const beside = `${Math.min(...cpu).toFixed(2)} to ${Math.max(...cpu).toFixed(2)} ms`
  return [
    {
      ...{ name: 'CPU time of a list of 50, requested repeatedly, 16 connections', unit: 'ms', beside },
      ...{ goal: atMost(2, 1), value: median(cpu) },
    },
  ]
}
