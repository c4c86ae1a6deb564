import { setTimeout as sleep } from 'node:timers/promises'
import { QUOTE_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { addAccount, type BenchAccount } from '../environment/accounts.ts'
import type { Environment } from '../environment/environment.ts'
import { processFigures } from '../environment/process-figures.ts'
import { HOST } from '../environment/service.ts'
import { type Offer, type OfferResult, requestText, startGenerator } from '../load/load.ts'
import { median } from '../ratios.ts'
import { rotated } from '../rounds.ts'
import { createLoad, createRequest } from './creates.ts'
import { atMost, type Figure } from './figure.ts'
import { timeFigure } from './ratio-figure.ts'

/** The quiet account: half of its requests are creates, and all of them are half of its limit. */
const QUIET_PER_SECOND = 200
const QUIET_LIMITS = { requests_per_second: 2 * QUIET_PER_SECOND, burst: 2 * QUIET_PER_SECOND }
/** The noisy account's limit, as a share of the peak rate of creates: ten times it is the machine's maximum. */
const NOISY_SHARE = 0.1
const TIMES = 10
const PEAK_CONNECTIONS = 64
const CALLERS = 1_000
/** The noisy account starts with a burst of one second, which it uses up. */
const WARM_UP_MS = 1_500
/** A pause between two states, so that one does not affect the next. */
const BREATH_MS = 1_000
/** Share of the plan's time: in the full run each p99 has 2,000 requests. */
const LONGER = 7
/** The start of each state. */
const MIN_ROUNDS = 3
/** Beyond this share of the p99 alone, the generator's own lateness affects the measurement. */
const GENERATOR_SHARE = 0.5

/** `sent`: by the noisy account, including warm-up; `cpuMs`: of the service meanwhile. */
type State = { quiet: OfferResult; noisy: OfferResult | null; sent: number; cpuMs: number | null }
type Rounds = Record<'alone' | 'atLimit' | 'over', State>[]

/** An account within its limit while another is silent, at its own limit, and at ten times it. */
export async function neighbourFigures(environment: Environment): Promise<Figure[]> {
  const { generator, service, plan } = environment
  const load = createLoad(service, PEAK_CONNECTIONS, plan)
  await generator.run({ ...load, until: { durationMs: plan.settledMs } }, service.pid)
  const peak = await generator.run(createLoad(service, PEAK_CONNECTIONS, plan), service.pid)
  const limit = Math.round(NOISY_SHARE * peak.perSecond)
  const quiet = await addAccount(service, 'quiet', QUIET_LIMITS)
  const noisy = await addAccount(service, 'noisy', { requests_per_second: limit, burst: limit })
  const quietGenerator = startGenerator()
  const times = { warmUpMs: WARM_UP_MS, durationMs: LONGER * plan.durationMs }
  const offer = (perSecond: number, requests: string[]): Offer => {
    return { host: HOST, port: service.port, connections: CALLERS, perSecond, requests, ...times }
  }
  const beside = (perSecond: number) => async (): Promise<State> => {
    await sleep(BREATH_MS)
    const before = processFigures(service.pid)
    const [ofQuiet, ofNoisy] = await Promise.all([
      quietGenerator.offer(offer(QUIET_PER_SECOND, [quoteRequest(quiet), createRequest(quiet)])),
      perSecond > 0 ? generator.offer(offer(perSecond, [createRequest(noisy)])) : null,
    ])
    const after = processFigures(service.pid)
    return {
      quiet: ofQuiet,
      noisy: ofNoisy,
      sent: (perSecond * (times.warmUpMs + times.durationMs)) / 1_000,
      cpuMs: before && after && after.cpuMs - before.cpuMs,
    }
  }
  try {
    const rounds = await rotated(Math.max(plan.rounds, MIN_ROUNDS), {
      alone: beside(0),
      atLimit: beside(limit),
      over: beside(TIMES * limit),
    })
    return figuresOf(rounds, limit)
  } finally {
    await quietGenerator.stop()
  }
}

function quoteRequest({ name, token }: BenchAccount): string {
  const line = `POST /${name}/deliveries/quote-next-available`
  return requestText(line, { host: HOST, token, body: QUOTE_EXAMPLE })
}

function figuresOf(rounds: Rounds, limit: number): Figure[] {
  const name = (where: string) => `a quiet account’s p99 beside one at ${where} ÷ alone`
  const over = timeFigure(name(`${TIMES}× its limit`), atMost(1.5, 1.2), p99s(rounds, 'over'), inMs)
  const atLimit = timeFigure(name('its limit'), null, p99s(rounds, 'atLimit'), inMs)
  const lateMs = (who: keyof Rounds[number]) =>
    median(rounds.map((round) => round[who].quiet.generatorLateMs))
  const aloneMs = median(p99s(rounds, 'over').map((round) => round.limit))
  const late = `the generator late by ${inMs(lateMs('over'))} (p99), ${inMs(lateMs('alone'))} alone`
  return [
    {
      ...over,
      noAsUnknown: Math.max(lateMs('over'), lateMs('alone')) > GENERATOR_SHARE * aloneMs,
      beside: `${over.beside}; ${kindsOf(rounds, 'over')}; ${late}; ${refusals(rounds, limit)}`,
    },
    { ...atLimit, beside: `${atLimit.beside}; ${kindsOf(rounds, 'atLimit')}` },
    refusedOfQuiet(rounds),
  ]
}

function p99s(rounds: Rounds, who: 'atLimit' | 'over') {
  return rounds.map((round) => ({
    ours: p99Of(round[who].quiet.accepted),
    limit: p99Of(round.alone.quiet.accepted),
  }))
}

/** The parts of the p99: a create waits for the disk, a quote only for the process. */
function kindsOf(rounds: Rounds, who: 'atLimit' | 'over'): string {
  const at = (which: number, state: keyof Rounds[number]) =>
    inMs(median(rounds.map((round) => p99Of(round[state].quiet.acceptedOf[which]))))
  return ['quotes', 'creates']
    .map((kind, which) => `${kind} ${at(which, who)} ÷ ${at(which, 'alone')}`)
    .join(', ')
}

function refusals(rounds: Rounds, limit: number): string {
  const ofNoisy = rounds.flatMap(({ over }) => over.noisy ?? [])
  const share = median(ofNoisy.map(({ byStatus, offered }) => (byStatus[429] ?? 0) / offered))
  const costs = rounds.flatMap(({ atLimit, over }) => {
    const more = over.sent - atLimit.sent
    return atLimit.cpuMs === null || over.cpuMs === null ? [] : ((over.cpuMs - atLimit.cpuMs) * 1_000) / more
  })
  const cost = costs.length > 0 ? `, ${median(costs).toFixed(0)} µs of CPU each` : ''
  return `${(share * 100).toFixed(0)} % of the other’s ${TIMES * limit}/s answered 429${cost}`
}

function refusedOfQuiet(rounds: Rounds): Figure {
  const all = rounds.flatMap((round) => Object.values(round))
  const offered = sum(all.map(({ quiet }) => quiet.offered))
  const statuses = new Set(all.flatMap(({ noisy }) => Object.keys(noisy?.byStatus ?? {})))
  const counted = [...statuses].map((status) => {
    return { status, count: sum(all.map(({ noisy }) => noisy?.byStatus[Number(status)] ?? 0)) }
  })
  const byStatus = counted.filter(({ count }) => count > 0).map(({ status, count }) => `${status}: ${count}`)
  return {
    name: 'refused of the quiet account’s',
    goal: atMost(0, 0),
    value: offered - sum(all.map(({ quiet }) => quiet.accepted.count)),
    unit: 'requests',
    beside: `of ${offered}; the noisy account’s by status: ${byStatus.join(', ')}`,
  }
}

const p99Of = (timed: OfferResult['accepted'] | undefined) => timed?.p99Ms ?? Number.NaN
const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
const inMs = (ms: number) => `${ms.toFixed(1)} ms`
