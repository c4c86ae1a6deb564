import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Bundled, bundled } from '../bundled.ts'
import type { ProcessOrder } from './process.ts'
import type { SeededBugName } from './seeded-bugs.ts'

export const WORKERS = ['worker-1', 'worker-2', 'worker-3'] as const
export type Member = (typeof WORKERS)[number] | 'api'

export type Fleet = {
  apiUrl: string
  /** SIGKILL, and a new process in its place at once. */
  kill(member: Member): void
  /** SIGSTOP now, SIGCONT after `ms`. */
  freeze(member: Member, ms: number): void
  /** Callers of carriers that died before the response, by operation. */
  cut: Record<'book' | 'find' | 'cancel' | 'track', number>
  stop(): Promise<void>
}

export type FleetOptions = {
  databaseUrl: string
  leaseMs: number | null
  seededBugs?: readonly SeededBugName[]
}

const SECRET_KEY = 'the key of a fleet that is killed, long enough'

/** One `api`, three workers and the carriers, each a separate process, on one database. */
export async function startFleet({ databaseUrl, leaseMs, seededBugs = [] }: FleetOptions): Promise<Fleet> {
  const common = { databaseUrl, secretKey: SECRET_KEY, leaseMs, port: 0, carriersUrl: '', seededBugs: [] }
  const cut: Fleet['cut'] = { book: 0, find: 0, cancel: 0, track: 0 }
  const program = await bundled(new URL('process.ts', import.meta.url))
  const carriers = spawn(program, { ...common, role: 'carriers' })
  const carriersUrl = (await carriers.up) ?? ''
  carriers.child.on('message', (message: { cut?: keyof Fleet['cut'] }) => {
    if (message.cut) cut[message.cut] += 1
  })

  const port = await freePort()
  const members = new Map<Member, Spawned>()
  const start = (member: Member): void => {
    const role = member === 'api' ? ('api' as const) : ('worker' as const)
    members.set(
      member,
      spawn(program, { ...common, role, port, carriersUrl, seededBugs: role === 'worker' ? seededBugs : [] }),
    )
  }
  for (const member of ['api', ...WORKERS] as const) start(member)
  const stop = async (): Promise<void> => {
    const all = [carriers, ...members.values()].map(({ child }) => child)
    const running = all.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const exits = running.map((child) => once(child, 'exit'))
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(exits)
  }
  await Promise.all([...members.values()].map(({ up }) => up)).catch(async (error: unknown) => {
    await stop()
    throw error
  })

  return {
    stop,
    apiUrl: `http://127.0.0.1:${port}`,
    cut,
    kill(member) {
      members.get(member)?.child.kill('SIGKILL')
      start(member)
    },
    freeze(member, ms) {
      const child = members.get(member)?.child
      child?.kill('SIGSTOP')
      setTimeout(() => child?.kill('SIGCONT'), ms)
    },
  }
}

type Spawned = { child: ChildProcess; up: Promise<string | null> }

function spawn({ file, env }: Bundled, order: ProcessOrder): Spawned {
  const child = fork(file, [JSON.stringify(order)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env,
    execArgv: [],
  })
  const up = new Promise<string | null>((resolve, reject) => {
    child.once('message', (message: { address: string | null }) => resolve(message.address))
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(null)
      else reject(new Error(`The ${order.role} process ended by itself with ${code ?? signal}.`))
    })
  })
  up.catch(() => {})
  return { child, up }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
