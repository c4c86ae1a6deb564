import { setTimeout as sleep } from 'node:timers/promises'

/** Generous: a loaded machine is slow, and only a test that fails waits for the end of it. */
const PATIENCE_MS = 120_000
const LOOK_MS = 20

type Seen<T> = T | null | undefined | false

/** Waits for what comes by itself, and answers it; `what` is what a test says that waited in vain. */
export async function until<T>(look: () => Seen<T> | Promise<Seen<T>>, what = String(look)): Promise<T> {
  for (const endMs = performance.now() + PATIENCE_MS; ; await sleep(LOOK_MS)) {
    const seen = await look()
    if (seen !== null && seen !== undefined && seen !== false) return seen
    if (performance.now() > endMs) throw new Error(`Still not so: ${what}.`)
  }
}
