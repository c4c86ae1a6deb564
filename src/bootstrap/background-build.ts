import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('../../scripts/build.ts', import.meta.url))

/**
 * Builds stale pages and start-up bundles in the background, so that a ready API doesn't wait half a minute
 * for them. An installation without sources was built in advance and skips this.
 */
export function buildInBackground(): { stop(): void } {
  if (!existsSync(SCRIPT)) return { stop: () => {} }
  let child: ChildProcess | null = null
  const timer = setTimeout(() => {
    child = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'ignore', 'inherit'] })
    // If the build can't start, the pages say what to do, and the service runs from its sources.
    child.on('error', () => {})
    child.unref()
  }, AFTER_MS).unref()
  return {
    stop() {
      clearTimeout(timer)
      child?.kill()
    },
  }
}

/** Leaves the CPU to the first requests after a start. */
const AFTER_MS = 1_500
