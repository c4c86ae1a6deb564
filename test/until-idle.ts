import type { Runner } from '../src/work/runner.ts'

/** Waits until the workers have nothing left to do: in a whole round, no source claimed a row. */
export async function untilIdle(runner: Pick<Runner, 'nextRound'>): Promise<void> {
  while ((await runner.nextRound()) > 0);
}
