import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('../scripts/build-web.ts', import.meta.url))

/**
 * Builds the pages beside the running service when what they are made of has changed: nobody waits half a minute for
 * an API that is ready. Where there is only the product and not its sources, they were built with it.
 */
export function buildPages(): { stop(): void } {
  if (!existsSync(SCRIPT)) return { stop: () => {} }
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'ignore', 'inherit'] })
  // That it could not even be started is told by the pages, which say what to do.
  child.on('error', () => {})
  child.unref()
  return { stop: () => void child.kill() }
}
