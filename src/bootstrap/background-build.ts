import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('../../scripts/build.ts', import.meta.url))

/**
 * Builds what is stale, the pages and the next start's files, beside the running service: nobody waits half a minute for
 * an API that is ready. Where there is only the product and not its sources, they were built with it.
 */
export function buildInBackground(): { stop(): void } {
  if (!existsSync(SCRIPT)) return { stop: () => {} }
  let child: ChildProcess | null = null
  const timer = setTimeout(() => {
    child = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'ignore', 'inherit'] })
    // That it could not even be started is told by the pages, which say what to do; the sources run as well.
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

/** The first requests after a start have the machine to themselves. */
const AFTER_MS = 1_500
