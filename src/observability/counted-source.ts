import type { InFlightByAccount } from '../operations/concurrency/in-flight.ts'
import type { DueSource } from '../work/runner.ts'

/** Counts the source's rows as in flight from their claim until their work has ended. */
export function countedSource<Row>(
  source: DueSource<Row>,
  inFlight: InFlightByAccount,
  accountOf: (row: Row) => string,
): DueSource<Row> {
  return {
    ...source,
    async claim(limit, suspects, isPoll) {
      const rows = await source.claim(limit, suspects, isPoll)
      inFlight.add(rows.map(accountOf))
      return rows
    },
    run: (rows) => source.run(rows).finally(() => inFlight.remove(rows.map(accountOf))),
  }
}
