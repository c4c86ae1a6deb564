import { QUOTE_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { startEcho } from '../baselines/echo.ts'
import type { Environment } from '../environment/environment.ts'
import { HOST } from '../environment/service.ts'
import { type Load, type Measured, requestText } from '../load/load.ts'
import { rotated } from '../rounds.ts'
import { atLeast, atMost, type Figure } from './figure.ts'
import { rateFigure, timeFigure } from './ratio-figure.ts'

export const QUOTE = '/demo/deliveries/quote-next-available'
export const AVAILABILITY = '/demo/deliveries/quote/availability'
const CONNECTIONS = 16

/** Quote and availability, compared with a server that only parses, validates and responds with as much. */
export async function quoteFigures(environment: Environment): Promise<Figure[]> {
  const answers: Record<string, string> = {}
  for (const path of [QUOTE, AVAILABILITY]) {
    answers[path] = JSON.stringify(await environment.service.call(`POST ${path}`, { body: QUOTE_EXAMPLE }))
  }
  const echo = await startEcho(answers)
  try {
    const quote = await againstEcho(environment, echo, QUOTE)
    const availability = await againstEcho(environment, echo, AVAILABILITY)
    return [
      rateFigure('quote ÷ echo, 16 connections', atLeast(0.5, 0.75), quote),
      p99Of('quote p99 ÷ echo p99', quote),
      rateFigure('availability ÷ echo, 16 connections', atLeast(0.55, 0.8), availability),
    ]
  } finally {
    await echo.stop()
  }
}

type Rounds = Record<'ours' | 'limit', Measured>[]

export function quoteLoad(environment: Environment, path: string): Load {
  const { service, plan } = environment
  return {
    host: HOST,
    port: service.port,
    connections: CONNECTIONS,
    request: requestText(`POST ${path}`, { host: HOST, token: service.token, body: QUOTE_EXAMPLE }),
    warmUpMs: plan.warmUpMs,
    until: { durationMs: plan.durationMs },
  }
}

async function againstEcho(
  environment: Environment,
  echo: { port: number; pid: number },
  path: string,
): Promise<Rounds> {
  const load = quoteLoad(environment, path)
  const { generator, service, plan } = environment
  const ours = () => generator.run(load, service.pid)
  const limit = () => generator.run({ ...load, port: echo.port }, echo.pid)
  // Both of V8's compilers have finished before the measurement, because the claim is about a long-running service.
  for (const port of [service.port, echo.port]) {
    const pid = port === echo.port ? echo.pid : service.pid
    await generator.run({ ...load, port, until: { durationMs: plan.settledMs } }, pid)
  }
  return rotated(plan.rounds, { ours, limit })
}

function p99Of(name: string, rounds: Rounds): Figure {
  const p99s = rounds.map(({ ours, limit }) => ({ ours: ours.p99Ms, limit: limit.p99Ms }))
  return timeFigure(name, atMost(2.5, 1.4), p99s, (ms) => `${ms.toFixed(2)} ms`)
}
