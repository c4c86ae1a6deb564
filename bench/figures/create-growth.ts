import pg from 'pg'
import type { Statement } from '../baselines/statement.ts'
import type { Environment } from '../environment/environment.ts'
import type { Point } from '../growth.ts'
import type { Measured } from '../load/load.ts'
import { rotated } from '../rounds.ts'
import { createLoad } from './creates.ts'
import { atMost, type Figure } from './figure.ts'
import { growthFigure } from './growth-figure.ts'

const CONNECTIONS = 16
/** The smallest durable write. It measures the machine's disk in the same seconds, and does not slow down with data. */
const TICK: Statement = { text: 'insert into ticks (at) values (now())', values: [] }

/** How creates slow down as deliveries accumulate: their time over that of a durable tick, sampled at intervals. */
export function createGrowth(environment: Environment) {
  const { generator, service, database, limit, plan } = environment
  const rounds: Point[][] = Array.from({ length: plan.rounds }, () => [])
  let made = 0
  const count = (measured: Measured): Measured => {
    made += measured.allRequests
    return measured
  }
  return {
    made: () => made,
    count,
    /** Measures at the current number of deliveries. */
    async measure(): Promise<void> {
      await makeTicks(database.url)
      const size = made
      const ours = async () =>
        count(await generator.run(createLoad(service, CONNECTIONS, plan), service.pid)).perSecond
      const tick = () =>
        limit.run(
          { statements: [TICK], clients: CONNECTIONS, numbers: { from: 0, count: plan.ticks } },
          database.url,
        )
      const measured = await rotated(plan.rounds, { ours, tick })
      for (const [index, round] of measured.entries()) {
        rounds[index]?.push({ size, time: round.tick / round.ours })
      }
    },
    figure: (): Figure =>
      growthFigure(
        'create, growth with deliveries',
        atMost(0.1, 0.04),
        rounds,
        (time) => `${time.toFixed(2)} ticks`,
      ),
  }
}

async function makeTicks(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('create table if not exists ticks (at timestamptz not null)')
  await client.end()
}
