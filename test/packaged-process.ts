import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

/** A process as shipped: `node bin/drover.mjs <command>`. */
export type Shipped = {
  /** The first group of the line that was waited for. */
  message: string
  /** All its output so far. */
  output(): string
  signal(name: NodeJS.Signals): void
  /** Its exit, once it has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const MAIN = fileURLToPath(new URL('../bin/drover.mjs', import.meta.url))

/** Settings of this machine must not affect the test. */
const OF_OTHERS = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'SMTP_URL',
  'SMS_URL',
  'NODE_ENV',
  'DROVER_LIVE',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
]

/**
 * Starts the command and waits for a line; the process ends with the test. Throws with its output if it ends first.
 */
export async function shipped(
  t: Pick<TestContext, 'after'>,
  command: string,
  env: Readonly<Record<string, string>>,
  line: RegExp,
  main = MAIN,
): Promise<Shipped> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OF_OTHERS.includes(name)),
  )
  const cache = join(tmpdir(), 'drover-shipped-cache')
  const child = spawn(process.execPath, [main, command], {
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
  if (message === null) throw new Error(`drover ${command} ended before it printed ${line}:\n${output}`)
  return { message, output: () => output, signal: (name) => child.kill(name), ended }
}

/** A free port: tests that follow signed addresses need the service to know its own address. */
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
