import type { BenchAccount } from '../environment/accounts.ts'
import type { Environment } from '../environment/environment.ts'
import { HOST, type Service } from '../environment/service.ts'
import { type Load, NUMBER, requestText } from '../load/load.ts'
import type { Goal } from '../ratios.ts'
import { rotated } from '../rounds.ts'
import { deliveryBody } from './delivery.ts'
import { atLeast, type Figure } from './figure.ts'
import { rateFigure, type Speed } from './ratio-figure.ts'

const AT: readonly (readonly [connections: number, goal: Goal])[] = [
  [1, atLeast(0.35, 0.5)],
  [16, atLeast(0.45, 0.65)],
  [64, atLeast(0.7, 1.2)],
]

let runs = 0

/** Creates that respond after their commit, compared with the same statement repeated alone, one row each. */
export async function createFigures(environment: Environment): Promise<Figure[]> {
  const { generator, service, limit, statements, plan } = environment
  const figures: Figure[] = []
  for (const [connections, goal] of AT) {
    if (plan.isQuick && connections === 16) continue
    const ours = () => generator.run(createLoad(service, connections, plan), service.pid)
    const statement = async (): Promise<Speed> => ({
      perSecond: await limit.run({
        statements: [statements.create],
        clients: connections,
        numbers: { run: ++runs, durationMs: plan.durationMs },
      }),
    })
    await ours()
    const rounds = await rotated<'ours' | 'limit', Speed>(plan.rounds, { ours, limit: statement })
    figures.push(rateFigure(`create ÷ its statement alone, ${connections} connections`, goal, rounds))
  }
  return figures
}

/** Creates as a careful client sends them: each with its own reference and idempotency key. */
export function createLoad(
  service: Service,
  connections: number,
  { warmUpMs, durationMs }: { warmUpMs: number; durationMs: number },
): Load {
  return {
    host: HOST,
    port: service.port,
    connections,
    request: createRequest({ name: 'demo', token: service.token }),
    warmUpMs,
    until: { durationMs },
  }
}

/** The bytes of each request; no other run makes the same. */
export function createRequest({ name, token }: BenchAccount): string {
  const reference = `B${++runs}-${NUMBER}`
  return requestText(`POST /${name}/deliveries`, {
    host: HOST,
    token,
    headers: { 'idempotency-key': reference },
    body: deliveryBody(reference),
  })
}
