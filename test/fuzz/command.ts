import { randomInt } from 'node:crypto'

/** What a command starts is ended after it, the newest first. */
export type Own = { after(end: () => unknown): void }

/** Says how it went; false when something was wrong. */
export type Command = (own: Own, args: string[]) => Promise<boolean>

/** The one that was given, or one of today's own. */
export function seedOf(given: string | undefined): number {
  return given === undefined ? randomInt(1_000_000) : Number(given)
}

/** Says a line for each tenth of `total` that is done, whoever finishes last. */
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

/** What a zero of so many means: the rule of three. */
export function maxOf(trials: number): string {
  return `fewer than ${((3 / trials) * 100).toPrecision(2)} in 100`
}
