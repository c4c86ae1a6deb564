import { startChild } from '../environment/child.ts'
import { copyDelivery, type Original } from '../environment/copies.ts'
import type { Environment } from '../environment/environment.ts'
import { HOST } from '../environment/service.ts'
import { requestText } from '../load/load.ts'
import { deliveryBody } from './delivery.ts'
import { atMost, type Figure } from './figure.ts'
import { bySizes, growthFigure } from './growth-figure.ts'
import { manifestGrowth } from './manifest-growth.ts'

const SERVICES = [10, 30, 100, 300, 1_000]
const QUICK_SERVICES = [10, 100, 1_000]
const DEPTHS = [1, 10, 100, 1_000]
const QUICK_DEPTHS = [1, 10, 100]
const PAGE = 10
/** Reaches a depth in few steps. */
const LARGE_PAGE = 200

/** How the time of an operation grows with the amount of data: an exponent, by the slope of logarithms. */
export async function growthFigures(environment: Environment): Promise<Figure[]> {
  return [await rulesGrowth(environment), await listGrowth(environment), await manifestGrowth(environment)]
}

async function rulesGrowth({ plan }: Environment): Promise<Figure> {
  const child = startChild(new URL('../baselines/decide-process.ts', import.meta.url))
  try {
    const sizes = plan.isQuick ? QUICK_SERVICES : SERVICES
    const rounds = await bySizes(sizes, plan.rounds, (services) => child.ask<number>({ services }))
    return growthFigure(
      'decision, growth with services and rules',
      null,
      rounds,
      (us) => `${us.toFixed(0)} µs`,
    )
  } finally {
    await child.stop()
  }
}

/** Pages of ten, newest first: the first, and deep ones by their cursors. */
async function listGrowth({ service, database, generator, plan }: Environment): Promise<Figure> {
  const depths = plan.isQuick ? QUICK_DEPTHS : DEPTHS
  await copyDelivery(database.url, await aDelivery(service), { from: 1, to: Math.max(...depths) * PAGE })
  const cursors = new Map<number, string>()
  for (const depth of depths) cursors.set(depth, await cursorBefore(service, (depth - 1) * PAGE))
  const ms = async (depth: number): Promise<number> => {
    const request = requestText(`GET /demo/deliveries?limit=${PAGE}${cursors.get(depth)}`, {
      host: HOST,
      token: service.token,
    })
    const { port, pid } = service
    const load = { host: HOST, port, connections: 1, request, warmUpMs: plan.warmUpMs / 2 }
    return (await generator.run({ ...load, until: { durationMs: plan.durationMs / 2 } }, pid)).p50Ms
  }
  const rounds = await bySizes(depths, plan.rounds, ms)
  return growthFigure(
    'list, growth with depth in pages',
    atMost(0.1, 0),
    rounds,
    (one) => `${one.toFixed(2)} ms`,
  )
}

async function aDelivery(service: Environment['service']): Promise<Original> {
  const reference = `LISTED-${'0'.repeat(10)}`
  const body = deliveryBody(reference)
  const { data } = (await service.call('POST /demo/deliveries', { body })) as { data: { id: string } }
  return { deliveryId: data.id, reference }
}

type Page = { pagination: { next: string } }

/** The parameters of a query that starts after the given number of deliveries. */
async function cursorBefore(service: Environment['service'], count: number): Promise<string> {
  let words = ''
  for (let left = count; left > 0; left -= LARGE_PAGE) {
    const limit = Math.min(left, LARGE_PAGE)
    const { pagination } = (await service.call(`GET /demo/deliveries?limit=${limit}${words}`)) as Page
    words = `&after=${pagination.next}`
  }
  return words
}
