import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server, ServerFiles } from './server.ts'

/** Fast mode ends all sessions and writes a checkpoint; if even that takes longer, the next start recovers. */
const FAST_MS = 20_000
const IMMEDIATE_MS = 5_000

/** Stops a server: fast mode, then immediate mode, then by force. Resolves when its process is gone. */
export async function shutDown(files: ServerFiles, server: Server): Promise<void> {
  if (process.platform === 'win32') {
    spawnSync(files.binaries('pg_ctl'), ['stop', '-m', 'fast', '-w', '-D', files.dataFolder], {
      stdio: 'ignore',
    })
    return
  }
  if (await endsAfter(server, 'SIGINT', FAST_MS)) return
  if (await endsAfter(server, 'SIGQUIT', IMMEDIATE_MS)) return
  await endsAfter(server, 'SIGKILL', IMMEDIATE_MS)
}

async function endsAfter(server: Server, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  try {
    process.kill(server.pid, signal)
  } catch {
    return true
  }
  const waiting = new AbortController()
  const late = sleep(withinMs, false, { signal: waiting.signal }).catch(() => false)
  const ended = await Promise.race([server.ended.then(() => true), late])
  waiting.abort()
  return ended
}
