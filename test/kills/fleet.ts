import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Bundled, bundled } from '../bundled.ts'
import { type Members, startMembers, untilUp } from '../harness/members.ts'
import type { ProcessOrder } from './process.ts'
import type { SeededBugName } from './seeded-bugs.ts'

export const WORKERS = ['worker-1', 'worker-2', 'worker-3'] as const
const MEMBERS = ['api', ...WORKERS] as const
export type Member = (typeof MEMBERS)[number]

export type Fleet = {
  apiUrl: string
  members: Members<Member>
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
  const carriers = startProcess(program, { ...common, role: 'carriers' })
  const carriersUrl = await Promise.race([
    once(carriers, 'message').then(([{ address }]) => address as string),
    once(carriers, 'exit').then(([code]) => {
      throw new Error(`The carriers ended by themselves with ${code}.`)
    }),
  ])
  carriers.on('message', (message: { cut?: keyof Fleet['cut'] }) => {
    if (message.cut) cut[message.cut] += 1
  })
  const members = await startMembers<Member>({
    names: MEMBERS,
    start(member, port) {
      const role = member === 'api' ? 'api' : 'worker'
      return startProcess(program, { ...common, role, port: Number(port), carriersUrl, seededBugs })
    },
  })
  const stop = async (): Promise<void> => {
    await members.stop()
    const ended = once(carriers, 'exit')
    if (carriers.kill('SIGKILL')) await ended
  }
  await untilUp(members, MEMBERS).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { stop, members, apiUrl: `http://127.0.0.1:${members.portOf('api')}`, cut }
}

function startProcess({ file, env }: Bundled, order: ProcessOrder): ChildProcess {
  return fork(file, [JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env, execArgv: [] })
}
