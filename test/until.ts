import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Only a test that fails waits for the end of it. */
const PATIENCE_MS = 60_000
const LOOK_MS = 20

/** Waits for what comes by itself; `what` is what a test says that waited in vain. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + PATIENCE_MS; !(await holds()); ) {
    assert.ok(performance.now() < endMs, `not within ${PATIENCE_MS / 1_000} s: ${what}`)
    await sleep(LOOK_MS)
  }
}
