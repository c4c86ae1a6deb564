import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PROGRAM } from './program.ts'

/** One entry of a fake's own ledger. */
// biome-ignore lint/suspicious/noExplicitAny: each carrier's ledger has its own fields.
export type FakeEntry = { number: number; at: string; what: string } & Record<string, any>

/** A carrier as `drover fake` ships it: a separate process with a ledger that no other process can write. */
export type FakeProcess = {
  url: string
  /** Changes a setting of the fake. */
  control(method: string, path: string, body?: unknown): Promise<unknown>
  /** The ledger entries since the last call. */
  updates(): Promise<FakeEntry[]>
  stop(): Promise<void>
}

const ADDRESS = /listens on (http:\S+)/

/** `carrier` and `options` as on the command line. Throws if the process ends before it listens. */
export async function startFakeProcess(carrier: string, options: readonly string[]): Promise<FakeProcess> {
  const child = spawn(process.execPath, [PROGRAM, 'fake', carrier, '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A test process that ends early leaves no carrier behind.
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
  throw new Error(`drover fake ${carrier} ended before it printed its address.`)
}
