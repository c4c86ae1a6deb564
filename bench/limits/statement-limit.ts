import { startChild } from '../world/child.ts'
import { findPgbench, pgbenchVersion, type Repeat, runPgbench } from './pgbench.ts'

/** What repeats statements on this machine. */
export type StatementLimit = {
  name: string
  /** Statements a second. */
  run(repeat: Repeat): Promise<number>
  stop(): Promise<void>
}

/** pgbench where there is one, else the driver alone: a lower limit, and named as such in the results. */
export function statementLimit(databaseUrl: string): StatementLimit {
  const pgbench = findPgbench()
  if (pgbench) {
    return {
      name: pgbenchVersion(pgbench),
      run: (repeat) => runPgbench(pgbench, databaseUrl, repeat),
      stop: async () => {},
    }
  }
  const loop = startChild(new URL('./statement-loop-process.ts', import.meta.url))
  return {
    name: 'a loop of the pg driver (no pgbench on this machine: the limit is too low)',
    run: (repeat) => loop.ask<number>({ databaseUrl, repeat }),
    stop: () => loop.stop(),
  }
}
