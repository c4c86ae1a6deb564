import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

/** A process as it is shipped: `node bin/drover.mjs <command>`. */
export type Shipped = {
  /** What the line that was waited for says in its first group. */
  message: string
  /** Everything it wrote so far. */
  output(): string
  signal(name: NodeJS.Signals): void
  /** How it ended, once it has. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const MAIN = fileURLToPath(new URL('../bin/drover.mjs', import.meta.url))

/** What is set up on this machine is not what is tested. */
const OF_OTHERS = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'SMTP_URL',
  'SMS_URL',
  'NODE_ENV',
  'DROVER_LIVE',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
]

/** Starts the command and waits for a line; the process goes with the test. Throws with its output when it ends first. */
export async function shipped(
  t: Pick<TestContext, 'after'>,
  command: string,
  env: Readonly<Record<string, string>>,
  line: RegExp,
): Promise<Shipped> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OF_OTHERS.includes(name)),
  )
  const cache = join(tmpdir(), 'drover-shipped-cache')
  const child = spawn(process.execPath, [MAIN, command], {
    env: { ...inherited, HOST: '127.0.0.1', PORT: '0', NODE_COMPILE_CACHE: cache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  t.after(async () => {
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const message = await lineOf(child, line)
  if (message === null) throw new Error(`drover ${command} ended before it said ${line}:\n${output}`)
  return { message, output: () => output, signal: (name) => child.kill(name), ended }
}

/** A port that nobody listens on: where signed addresses are followed, the service must know its own. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return `${port}`
}

async function lineOf(child: ChildProcess, line: RegExp): Promise<string | null> {
  if (!child.stdout) return null
  const lines = createInterface({ input: child.stdout })
  return new Promise((resolve) => {
    lines.on('line', (text) => {
      const match = line.exec(text)
      if (match) resolve(match[1] ?? '')
    })
    lines.once('close', () => resolve(null))
  })
}
