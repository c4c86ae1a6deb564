import { QUOTE_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { startBenchDatabase } from '../environment/database.ts'
import type { Environment } from '../environment/environment.ts'
import { HOST, liftLimits, type Service, startService } from '../environment/service.ts'
import { startWatch, type Watched } from '../environment/watch.ts'
import { EARLIER, NUMBER, type Offer, type OfferResult, requestText } from '../load/load.ts'
import { median } from '../ratios.ts'
import { blocksOf, medianSlopeOf } from '../slope.ts'
import { deliveryBody } from './delivery.ts'
import { atMost, type Figure } from './figure.ts'
import { QUOTE } from './quotes.ts'

/** Share of the service's capacity at the start. */
const SHARE = 0.7
const CONNECTIONS = 64
/** The load that measures its capacity; the first time to warm up. */
const CEILING = { perSecond: 20_000, durationMs: 1_000 }
/** Memory may still grow before this time. */
const SETTLING_MINUTES = 5
const PER_MINUTES = 10

/** A day's mix at 70 % of the service's capacity: whether its memory stays flat. */
export async function soakFigures(
  { generator }: Pick<Environment, 'generator'>,
  minutes: number,
): Promise<Figure[]> {
  const database = await startBenchDatabase()
  const service = await startService(database.home, database.url, { tracesCollections: true })
  try {
    await liftLimits(service)
    const offer = (part: Pick<Offer, 'perSecond' | 'durationMs'>, name: string) =>
      generator.offer({
        ...part,
        host: HOST,
        port: service.port,
        connections: CONNECTIONS,
        requests: mixOf(service, name),
      })
    await offer(CEILING, 'W')
    const ceiling = (await offer(CEILING, 'C')).accepted.perSecond
    process.stderr.write(`ceiling ${Math.round(ceiling)}/s, ${minutes} minutes at ${SHARE * 100} % … `)
    const watch = startWatch(service)
    const result = await offer({ perSecond: SHARE * ceiling, durationMs: minutes * 60_000 }, 'S')
    return figuresOf(result, ceiling, await watch.stop(), minutes)
  } finally {
    await service.stop()
    await database.stop()
  }
}

/** Ten requests: quotes, an availability, creates, one booked at once, reads of an earlier one, a list. */
function mixOf({ token }: Service, name: string): string[] {
  const ask = (line: string, body?: object, key?: string) =>
    requestText(line, {
      host: HOST,
      token,
      ...(body && { body }),
      ...(key && { headers: { 'idempotency-key': key } }),
    })
  const quote = ask(`POST ${QUOTE}`, QUOTE_EXAMPLE)
  const created = `${name}C-${NUMBER}`
  const booked = `${name}B-${NUMBER}`
  return [
    quote,
    ask('POST /demo/deliveries', deliveryBody(created), created),
    quote,
    ask(`GET /demo/deliveries/${name}C-${EARLIER}`),
    ask('POST /demo/deliveries/quote/availability', QUOTE_EXAMPLE),
    ask(
      'POST /demo/deliveries',
      { ...deliveryBody(booked), delivery_type: 'fast', book_delivery_now: true },
      booked,
    ),
    quote,
    ask(`GET /demo/deliveries/${name}B-${EARLIER}`),
    quote,
    ask('GET /demo/deliveries?limit=20'),
  ]
}

function figuresOf(result: OfferResult, ceiling: number, watched: Watched, minutes: number): Figure[] {
  const fromMinute = Math.min(SETTLING_MINUTES, minutes / 3)
  const failed = result.offered - result.accepted.count
  const { accepted } = result
  const load = `${Math.round(SHARE * ceiling)}/s of ${Math.round(ceiling)}/s for ${minutes} min`
  return [
    {
      name: 'soak: requests that failed',
      goal: atMost(0, 0),
      value: failed,
      unit: 'requests',
      beside: `of ${result.offered.toLocaleString('en')}, ${load}; p50 ${accepted.p50Ms?.toFixed(1)} ms, p99 ${accepted.p99Ms?.toFixed(1)} ms; ${JSON.stringify(result.byStatus)}`,
    },
    slopeFigure('soak: resident memory', watched.residentMb, fromMinute),
    slopeFigure('soak: heap after a full collection', watched.heapAfterMb, fromMinute),
    {
      name: 'soak: event loop late, p99 of 10 s',
      goal: null,
      value: median(watched.loopLateMs.map(([, ms]) => ms)),
      unit: 'ms',
      beside: `at most ${Math.max(...watched.loopLateMs.map(([, ms]) => ms)).toFixed(0)} ms`,
      curve: { x: 'minutes', y: 'ms', logarithmic: false, points: watched.loopLateMs },
    },
  ]
}

/** Flat means at most 1 MB in ten minutes; unsure if the slope's interval includes that. */
function slopeFigure(what: string, points: Watched['residentMb'], fromMinute: number): Figure {
  const name = `${what}, growth in ${PER_MINUTES} minutes after the first ${fromMinute.toFixed(0)}`
  const curve = { x: 'minutes', y: 'MB', logarithmic: false, points }
  const later = blocksOf(
    points.filter(([minute]) => minute >= fromMinute),
    25,
  )
  if (later.length < 4)
    return {
      name,
      goal: null,
      value: Number.NaN,
      unit: 'MB',
      beside: `${later.length} samples are too few`,
      curve,
    }
  const slope = medianSlopeOf(later)
  const goal = atMost(1, 1)
  const [value, lowest, highest] = [slope.value, slope.lowest, slope.highest].map(
    (one) => one * PER_MINUTES,
  ) as [number, number, number]
  const noAsUnknown = value > goal.must && lowest <= goal.must
  const say = (mb: number) => mb.toFixed(2)
  const steps = later.slice(1).map(([minute, mb], index) => [mb - (later[index]?.[1] ?? mb), minute] as const)
  const [max, at] = steps.reduce((one, other) => (other[0] > one[0] ? other : one))
  return {
    name,
    goal,
    value,
    unit: 'MB',
    noAsUnknown,
    beside: `95 %: ${say(lowest)} to ${say(highest)}; ${points.length} samples, ${say(points.at(-1)?.[1] ?? 0)} at the end, at most ${say(max)} in one minute (the ${at.toFixed(0)}th); ${value <= goal.must ? 'flat' : noAsUnknown ? 'cannot be told' : 'not flat'}`,
    curve,
  }
}
