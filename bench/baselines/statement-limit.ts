import { startChild } from '../environment/child.ts'
import { findPgbench, pgbenchVersion, runPgbench } from './pgbench.ts'
import type { Repeat } from './statement.ts'

/** The program that repeats statements on this machine. */
export type StatementLimit = {
  name: string
  /** Repetitions a second, on the environment's database unless another is named. */
  run(repeat: Repeat, databaseUrl?: string): Promise<number>
  stop(): Promise<void>
}

/** pgbench if there is one, otherwise the driver alone: a lower limit, labelled as such in the results. */
export function statementLimit(databaseUrl: string): StatementLimit {
  const pgbench = findPgbench()
  if (pgbench) {
    return {
      name: pgbenchVersion(pgbench),
      run: (repeat, url = databaseUrl) => runPgbench(pgbench, url, repeat),
      stop: async () => {},
    }
  }
  const loop = startChild(new URL('./statement-loop-process.ts', import.meta.url))
  return {
    name: 'a loop of the pg driver (no pgbench on this machine: the limit is too low)',
    run: (repeat, url = databaseUrl) => loop.ask<number>({ databaseUrl: url, repeat }),
    stop: () => loop.stop(),
  }
}
