import { setTimeout as sleep } from 'node:timers/promises'
import { ALLOCATION_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import type { Environment } from '../environment/environment.ts'
import { HOST } from '../environment/service.ts'
import { requestText } from '../load/load.ts'
import { createLoad } from './creates.ts'
import { atMost, type Figure } from './figure.ts'
import { AVAILABILITY, QUOTE, quoteLoad } from './quotes.ts'

const ALLOCATION = '/demo/deliveries/quote/allocation'
const METRIC = 'drover_database_statements_total'
/** Longer than any poll of an idle process. */
const IDLE_MS = 2_500
/** Notes when a client was last used: once a minute, however many requests it sends. */
const EACH_MINUTE = 'note-client-uses'

/** Counted, not timed: the service's own count of statements, over the given number of requests. */
export async function statementFigures(environment: Environment): Promise<Figure[]> {
  const { service, generator, plan } = environment
  const polls = await sentDuring(environment, () => sleep(IDLE_MS))
  const background = new Set([...polls.keys(), EACH_MINUTE])
  const perRequest = async (load: Parameters<typeof generator.run>[0], needed?: string) => {
    const sent = await sentDuring(environment, () =>
      generator.run({ ...load, warmUpMs: 0, until: { requests: plan.counted } }, service.pid),
    )
    const ofRequests = [...sent].filter(([name]) => !background.has(name))
    const total = ofRequests.reduce((sum, [, count]) => sum + count, 0)
    if (needed !== undefined && !sent.has(needed))
      throw new Error(`None of ${plan.counted} requests sent the statement ${needed}.`)
    return {
      value: total / plan.counted,
      beside: ofRequests.map(([name, count]) => `${count} ${name}`).join(', '),
    }
  }
  const counted = async (name: string, goal: Figure['goal'], ...args: Parameters<typeof perRequest>) =>
    ({ name, goal, unit: 'statements', ...(await perRequest(...args)) }) satisfies Figure
  return [
    await counted('statements a quote', atMost(0, 0), quoteLoad(environment, QUOTE)),
    await counted('statements an availability', atMost(0, 0), quoteLoad(environment, AVAILABILITY)),
    await counted('statements an allocation', atMost(0, 0), allocationLoad(environment)),
    await counted(
      'statements a create, 1 connection',
      atMost(2, 1),
      createLoad(service, 1, environment.plan),
      'create-deliveries',
    ),
    await counted(
      'statements a create, 64 connections',
      atMost(0.5, 0.1),
      createLoad(service, 64, environment.plan),
      'create-deliveries',
    ),
  ]
}

function allocationLoad(environment: Environment): Parameters<Environment['generator']['run']>[0] {
  const { token } = environment.service
  const request = requestText(`POST ${ALLOCATION}`, { host: HOST, token, body: ALLOCATION_EXAMPLE })
  return { ...quoteLoad(environment, QUOTE), request }
}

/** The increase of each statement's counter. */
export async function sentDuring(
  { service }: Pick<Environment, 'service'>,
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  const before = await service.metric(METRIC, 'statement')
  await work()
  const after = await service.metric(METRIC, 'statement')
  return new Map(
    [...after].flatMap(([name, count]) =>
      count > (before.get(name) ?? 0) ? [[name, count - (before.get(name) ?? 0)]] : [],
    ),
  )
}
