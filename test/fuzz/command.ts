import { randomInt } from 'node:crypto'

/** Registers a clean-up for the end of the command; the newest runs first. */
export type Own = { after(end: () => unknown): void }

/** Prints the result; false if something was wrong. */
export type Command = (own: Own, args: string[]) => Promise<boolean>

/** The seed that was given, or one of today. */
export function seedOf(given: string | undefined): number {
  return given === undefined ? randomInt(1_000_000) : Number(given)
}

/** Prints a line for each tenth of `total`, in the order of completion. */
export function tenthsOf(total: number, what: string): (done: number) => void {
  const beganMs = performance.now()
  let message = 0
  return (done) => {
    const tenths = Math.floor((done / total) * 10)
    if (tenths <= message || tenths === 10) return
    message = tenths
    console.log(`  ${done} of ${total} ${what}, ${Math.round((performance.now() - beganMs) / 1_000)} s`)
  }
}

/** What zero failures in `trials` cases prove: the rule of three (3/n, at 95 %). */
export function maxOf(trials: number): string {
  return `fewer than ${((3 / trials) * 100).toPrecision(2)} in 100`
}
