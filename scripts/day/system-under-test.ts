import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const ADDRESS = /Drover runs at\s+(\S+)/

/** Starts a service with its own database in a temporary folder; `more` is added to its environment. */
export async function startSystem(
  more: Readonly<Record<string, string>> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'drover-day-'))
  chmodSync(home, 0o755) // Root runs PostgreSQL as another user, who needs access.
  // A local set-up's database and message gateway must not be used.
  const { DATABASE_URL: _, PUBLIC_URL: __, SMTP_URL: ___, SMS_URL: ____, ...inherited } = process.env
  const env = { ...inherited, DROVER_HOME: home, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', ...more }
  const child = spawn(process.execPath, [MAIN, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let stopping = false
  const exited = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      if (!stopping) process.stderr.write(`The service ended by itself: ${signal ?? `code ${code}`}.\n`)
      resolve()
    }),
  )
  const stop = async (): Promise<void> => {
    stopping = true
    child.kill('SIGTERM')
    await exited
    rmSync(home, { recursive: true, force: true })
  }
  const onSignal = (): void => void stop().then(() => process.exit(130))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string | null>((resolve) => {
    lines.on('line', (line) => {
      const address = ADDRESS.exec(line)?.[1]
      if (address) resolve(address)
      // At this level the log has errors only.
      if (line.startsWith('{')) process.stderr.write(`${line}\n`)
    })
    lines.once('close', () => resolve(null))
  })
  if (url) return { url, stop }
  await stop()
  throw new Error('The service ended before it logged its address.')
}
