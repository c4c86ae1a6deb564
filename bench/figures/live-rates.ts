import { QUOTE_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { startChild } from '../environment/child.ts'
import { startBenchDatabase } from '../environment/database.ts'
import type { Environment } from '../environment/environment.ts'
import { HOST, keepSecret, liftLimits, startService } from '../environment/service.ts'
import { type Measured, NUMBER, requestText } from '../load/load.ts'
import { median } from '../ratios.ts'
import { atMost, type Figure } from './figure.ts'
import { QUOTE } from './quotes.ts'

const CARRIERS = 6
const LATENCY_MS = 200
const CONNECTIONS = 4

/** A quote without cached prices, of six carriers that take 200 ms each to return theirs. */
export async function liveRateFigures({ generator, plan }: Environment): Promise<Figure[]> {
  const fakes = startChild(new URL('../environment/carriers-process.ts', import.meta.url))
  const database = await startBenchDatabase()
  const service = await startService(database.home, database.url)
  try {
    const urls = await fakes.ask<string[]>({ count: CARRIERS, latencyMs: LATENCY_MS })
    await keepSecret(service, 'bench-key', 'fake-key')
    await keepSecret(service, 'bench-password', 'fake-password')
    await liftLimits(service, ({ carriers }) => ({
      carriers: urls.map((url, n) => carrierAt(url, n, carriers)),
    }))
    const [parcel] = QUOTE_EXAMPLE.parcels
    const body = { ...QUOTE_EXAMPLE, parcels: [{ ...parcel, reference: `BOX-${NUMBER}` }] }
    await explained(service, body)
    const run = (from: number, durationMs: number) =>
      generator.run(
        {
          host: HOST,
          port: service.port,
          connections: CONNECTIONS,
          request: requestText(`POST ${QUOTE}`, { host: HOST, token: service.token, body }),
          numbers: { from, count: 1e9 },
          warmUpMs: plan.warmUpMs,
          until: { durationMs },
        },
        service.pid,
      )
    // As for quotes without carriers, both compilers have finished: with so few requests the p99 is nearly
    // the slowest.
    await run(0, plan.settledMs)
    const rounds: Measured[] = []
    for (let round = 0; round < (plan.isQuick ? 1 : plan.rounds); round++) {
      rounds.push(await run(1e9 * (round + 1), Math.max(plan.durationMs, 20 * LATENCY_MS)))
    }
    const ms = (of: 'p50Ms' | 'p99Ms') => median(rounds.map((round) => round[of]))
    return [
      {
        name: `quote over ${CARRIERS} carriers of ${LATENCY_MS} ms: p99 − ${LATENCY_MS} ms`,
        goal: atMost(25, 8),
        value: ms('p99Ms') - LATENCY_MS,
        unit: 'ms',
        beside: `p50 ${ms('p50Ms').toFixed(1)} ms, p99 ${ms('p99Ms').toFixed(1)} ms`,
      },
    ]
  } finally {
    await service.stop()
    await database.stop()
    await fakes.stop()
  }
}

/** Throws unless every carrier returned a price: a quote that did not wait for them is not measured. */
async function explained(service: Awaited<ReturnType<typeof startService>>, body: object): Promise<void> {
  const asked = JSON.parse(JSON.stringify(body).replaceAll(NUMBER, '0'))
  const message = JSON.stringify(await service.call(`POST ${QUOTE}?explain=true`, { body: asked }))
  for (let n = 0; n < CARRIERS; n++) {
    if (!message.includes(nameOf(n)) || message.includes('returned no price'))
      throw new Error(`Not every carrier returned a price: ${message}`)
  }
}

const nameOf = (n: number) => `Live carrier ${n + 1}`

// biome-ignore lint/suspicious/noExplicitAny: a document as untyped JSON.
function carrierAt(url: string, n: number, carriers: any[]): object {
  const [model] = carriers.find(({ provider }) => provider === 'southern_parcels').services
  return {
    provider: `live_${n + 1}`,
    adapter: 'auspost',
    name: nameOf(n),
    base_url: url,
    credentials: { api_key: { secret: 'bench-key' }, password: { secret: 'bench-password' } },
    live_prices: true,
    settings: { account_number: '0000123456', timeout_ms: 2_000 },
    services: [{ ...model, service: nameOf(n), carrier_code: 'T28', manifest_group: `LIVE-${n + 1}` }],
  }
}
