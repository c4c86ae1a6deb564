import { setTimeout as sleep } from 'node:timers/promises'

/** Generous: a busy machine is slow, and only a failing test waits to the end. */
const PATIENCE_MS = 120_000
const LOOK_MS = 20

type Seen<T> = T | null | undefined | false

/** Polls until the result is truthy, and returns it; `what` describes it if the time runs out. */
export async function until<T>(
  look: () => Seen<T> | Promise<Seen<T>>,
  what: string | (() => string) = String(look),
): Promise<T> {
  for (const endMs = performance.now() + PATIENCE_MS; ; await sleep(LOOK_MS)) {
    const seen = await look()
    if (seen !== null && seen !== undefined && seen !== false) return seen
    if (performance.now() > endMs) {
      throw new Error(`Timed out waiting for: ${typeof what === 'string' ? what : what()}.`)
    }
  }
}
