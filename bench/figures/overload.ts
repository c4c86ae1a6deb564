import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../environment/environment.ts'
import type { Offer, OfferResult } from '../load/load.ts'
import { median } from '../ratios.ts'
import { rotated } from '../rounds.ts'
import { createLoad } from './creates.ts'
import { atLeast, atMost, type Figure } from './figure.ts'
import { rateFigure, timeFigure } from './ratio-figure.ts'

/** Connections of creates at the peak. */
const CONNECTIONS = 64
/** The maximum number of connections: beyond it a request would wait for another's response before it is sent. */
const CALLERS = 1_000
const TIMES = [2, 4]
const QUICK_TIMES = [4]
/** The service admits the first burst; the rate afterwards is measured. */
const STANDING_MS = 2_000
const BURST = 500
/** After an overload, before recovery is measured. */
const BREATH_MS = 1_000

/** Beyond this share of the p99 at the peak, the generator's own lateness affects the measurement. */
const GENERATOR_SHARE = 0.5

type Peak = { perSecond: number; p99Ms: number }

/** Creates at a multiple of the service's capacity: the rate that it still serves, its latency, and its recovery. */
export async function overloadFigures(environment: Environment): Promise<Figure[]> {
  const { plan } = environment
  const allTimes = plan.isQuick ? QUICK_TIMES : TIMES
  const first = await peakOf(environment)
  const later: OfferResult[] = []
  const over = (times: number) => async () => {
    const result = await measuredOver(environment, times * first.perSecond)
    await sleep(BREATH_MS)
    later.push(await offered(environment, first.perSecond / 2, { durationMs: plan.durationMs }))
    return { perSecond: result.accepted.perSecond, p99Ms: result.accepted.p99Ms ?? Number.NaN, result }
  }
  const rounds = await rotated<string, Peak & { result?: OfferResult }>(plan.rounds, {
    peak: () => peakOf(environment),
    ...Object.fromEntries(allTimes.map((times) => [`over${times}`, over(times)])),
  })
  const against = (times: number) =>
    rounds.map((round) => ({
      ours: round[`over${times}`] as (typeof round)[string],
      limit: round.peak as Peak,
    }))
  return [
    ...allTimes.flatMap((times) => {
      const pairs = against(times)
      const goodput = rateFigure(`creates done at ${times}× overload ÷ peak`, atLeast(0.85, 0.95), pairs)
      const p99s = pairs.map(({ ours, limit }) => ({ ours: ours.p99Ms, limit: limit.p99Ms }))
      const waits = timeFigure(`their p99 at ${times}× overload ÷ p99 at the peak`, atMost(5, 3), p99s, inMs)
      const lateMs = median(pairs.map(({ ours }) => ours.result?.generatorLateMs ?? 0))
      const peakMs = median(p99s.map(({ limit }) => limit))
      const late = `the generator itself late by ${inMs(lateMs)} (p99)`
      return [
        { ...goodput, beside: `${goodput.beside}; ${refusals(pairs.map(({ ours }) => ours.result))}` },
        { ...waits, noAsUnknown: lateMs > GENERATOR_SHARE * peakMs, beside: `${waits.beside}; ${late}` },
      ]
    }),
    await burst(environment),
    afterwards(later),
  ]
}

async function peakOf({ generator, service, plan }: Environment): Promise<Peak> {
  return generator.run(createLoad(service, CONNECTIONS, plan), service.pid)
}

/** On a busy machine a short window may end before the first response: it is doubled, up to three times. */
async function measuredOver(environment: Environment, perSecond: number): Promise<OfferResult> {
  let durationMs = 2 * environment.plan.durationMs
  for (let attemptsLeft = 3; ; attemptsLeft -= 1, durationMs *= 2) {
    const result = await offered(environment, perSecond, { warmUpMs: STANDING_MS, durationMs })
    if (result.accepted.count > 0) return result
    if (attemptsLeft === 0)
      throw new Error(`No create was done in ${durationMs} ms: ${JSON.stringify(result.byStatus)} by status.`)
  }
}

function offered(
  { generator, service, plan }: Environment,
  perSecond: number,
  times: Pick<Offer, 'warmUpMs' | 'durationMs'>,
): Promise<OfferResult> {
  const { host, port, request } = createLoad(service, CONNECTIONS, plan)
  return generator.offer({ host, port, perSecond, requests: [request], connections: CALLERS, ...times })
}

function refusals(results: readonly (OfferResult | undefined)[]): string {
  const all = results.flatMap((result) => result ?? [])
  const share = median(all.map(({ refused, offered }) => refused.count / offered))
  const p99s = all.flatMap(({ refused }) => refused.p99Ms ?? [])
  const none = all.reduce((sum, { byStatus }) => sum + (byStatus[0] ?? 0), 0)
  const withinText = p99s.length > 0 ? ` within ${inMs(median(p99s))} (p99)` : ''
  return `${(share * 100).toFixed(0)} % refused${withinText}, ${none} without an answer`
}

/** A shop sends its evening's deliveries at once: this is not an overload, and no request may be rejected. */
async function burst(environment: Environment): Promise<Figure> {
  await sleep(BREATH_MS)
  const { offered: asked, accepted } = await offered(environment, BURST * 1_000, { durationMs: 1 })
  return {
    name: `refused of ${BURST} at once, from idle`,
    goal: atMost(0, 0),
    value: asked - accepted.count,
    unit: 'requests',
    beside: `the last of them within ${inMs(accepted.p99Ms ?? Number.NaN)} (p99)`,
  }
}

function afterwards(later: readonly OfferResult[]): Figure {
  const failed = later.reduce((sum, { offered, accepted }) => sum + offered - accepted.count, 0)
  const all = later.reduce((sum, { offered }) => sum + offered, 0)
  return {
    name: 'refused at half the peak, a second after',
    goal: atMost(0, 0),
    value: failed,
    unit: 'requests',
    beside: `of ${all}, p99 ${inMs(median(later.map(({ accepted }) => accepted.p99Ms ?? Number.NaN)))}`,
  }
}

const inMs = (ms: number) => `${ms.toFixed(1)} ms`
