import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PROGRAM } from './program.ts'

/** One line of a fake's own ledger. */
// biome-ignore lint/suspicious/noExplicitAny: each carrier's ledger has facts of its own.
export type FakeEntry = { number: number; at: string; what: string } & Record<string, any>

/** A carrier as `drover fake` ships it: a process of its own with a ledger that nobody else can write to. */
export type FakeProcess = {
  url: string
  /** One of its knobs. */
  control(method: string, path: string, body?: unknown): Promise<unknown>
  /** What it wrote down since this was asked last. */
  updates(): Promise<FakeEntry[]>
  stop(): Promise<void>
}

const ADDRESS = /listens on (http:\S+)/

/** `carrier` and `options` as on the command line. Throws when it ends before it listens. */
export async function startFakeProcess(carrier: string, options: readonly string[]): Promise<FakeProcess> {
  const child = spawn(process.execPath, [PROGRAM, 'fake', carrier, '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Whoever ends in a hurry leaves no carrier behind.
  const kill = (): void => void child.kill('SIGTERM')
  process.once('exit', kill)
  const url = await addressOf(child, carrier)
  let read = 0
  const control: FakeProcess['control'] = async (method, path, body) => {
    const response = await fetch(`${url}/_fake${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${carrier} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  return {
    url,
    control,
    async updates() {
      const { entries } = (await control('GET', `/ledger?after=${read}`)) as { entries: FakeEntry[] }
      read = entries.at(-1)?.number ?? read
      return entries
    },
    async stop() {
      const ended = once(child, 'close')
      kill()
      await ended
      process.off('exit', kill)
    },
  }
}

async function addressOf(child: ChildProcess, carrier: string): Promise<string> {
  if (!child.stdout) throw new Error('unreachable')
  for await (const line of createInterface({ input: child.stdout })) {
    const address = ADDRESS.exec(line)?.[1]
    if (address) return address
  }
  throw new Error(`drover fake ${carrier} ended before it had an address.`)
}
