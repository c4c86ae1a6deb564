import type { Environment } from '../environment/environment.ts'
import { HOST } from '../environment/service.ts'
import { NUMBER, requestText } from '../load/load.ts'
import { rotated } from '../rounds.ts'
import { atLeast, type Figure } from './figure.ts'
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
  return [rateFigure('get by id ÷ its select alone, 16 connections', atLeast(0.15, 0.3), rounds)]
}
