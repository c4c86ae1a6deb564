import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../packaged-process.ts'
import { hasSeededBug } from './seed-bugs.ts'
import type { SeededBugName } from './seeded-bugs.ts'

export const WORKERS = ['worker-1', 'worker-2', 'worker-3'] as const
export const APIS = ['api-1', 'api-2'] as const
export const MEMBERS = [...APIS, ...WORKERS] as const
export type Member = (typeof MEMBERS)[number]

export type Members = {
  portOf(member: Member): number
  isUp(member: Member): boolean
  /** SIGKILL; a new process replaces it at once. False: it was not running. */
  kill(member: Member): boolean
  /** SIGSTOP now, SIGCONT after `ms`, unless it was killed meanwhile. */
  freeze(member: Member, ms: number): boolean
  /** Processes that had started and ended without a kill, with their last output. */
  endedByThemselves: string[]
  stop(): Promise<void>
}

export type MembersOptions = {
  databaseUrlOf(member: Member): string
  env: Readonly<Record<string, string>>
  /** The seeded bugs of these processes. */
  seededBugs: readonly SeededBugName[]
}

const MAIN = fileURLToPath(new URL('../../bin/drover.mjs', import.meta.url))
const SEEDED_PROCESS = fileURLToPath(new URL('seeded-process.ts', import.meta.url))
/** As in `npm start`, without the trace collector. */
const NODE_FLAGS = ['--v8-pool-size=1', '--max-semi-space-size=16']
const LOOK_MS = 100
const AGAIN_MS = 300
const LAST_WORDS = 2_000

type MemberState = { child: ChildProcess; up: boolean; killed: boolean; output: string }

/** Two `api` and three `worker` processes as shipped, each restarted whenever it ends. */
export async function startMembers({ databaseUrlOf, env, seededBugs }: MembersOptions): Promise<Members> {
  const ports = new Map<Member, string>()
  for (const member of MEMBERS) ports.set(member, await freePort())
  const states = new Map<Member, MemberState>()
  const endedByThemselves: string[] = []
  let stopping = false

  const start = (member: Member): void => {
    const role = member.startsWith('api') ? 'api' : 'worker'
    const port = ports.get(member) as string
    const isSeeded = hasSeededBug(role, seededBugs)
    const child = spawn(process.execPath, [...NODE_FLAGS, isSeeded ? SEEDED_PROCESS : MAIN, role], {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        ...(role === 'api' ? { PORT: port } : { DROVER_WORKER_PORT: port }),
        DATABASE_URL: databaseUrlOf(member),
        LOG_LEVEL: 'error',
        NODE_COMPILE_CACHE: join(tmpdir(), 'drover-chaos-cache'),
        ...(isSeeded ? { SEEDED_BUGS: seededBugs.join(',') } : {}),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const now: MemberState = { child, up: false, killed: false, output: '' }
    states.set(member, now)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => (now.output = `${now.output}${text}`.slice(-LAST_WORDS)))
    }
    child.once('close', (code, signal) => {
      if (stopping) return
      // A process that finds no database at its start ends, and its supervisor restarts it.
      if (now.up && !now.killed)
        endedByThemselves.push(`${member} ended with ${signal ?? code}: ${now.output}`)
      now.up = false
      setTimeout(() => !stopping && start(member), now.killed ? 0 : AGAIN_MS)
    })
    void watch(now, `http://127.0.0.1:${port}/health/live`)
  }

  const watch = async (now: MemberState, url: string): Promise<void> => {
    while (!stopping && now.child.exitCode === null && now.child.signalCode === null) {
      const live = await fetch(url, { signal: AbortSignal.timeout(LOOK_MS * 10) }).catch(() => null)
      await live?.arrayBuffer().catch(() => {})
      if (live?.ok) {
        now.up = true
        return
      }
      await sleep(LOOK_MS)
    }
  }

  for (const member of MEMBERS) start(member)
  return {
    portOf: (member) => Number(ports.get(member)),
    isUp: (member) => states.get(member)?.up ?? false,
    kill(member) {
      const now = states.get(member)
      if (!now?.up) return false
      now.killed = true
      now.up = false
      return now.child.kill('SIGKILL')
    },
    freeze(member, ms) {
      const now = states.get(member)
      if (!now?.up || !now.child.kill('SIGSTOP')) return false
      setTimeout(() => now.child.kill('SIGCONT'), ms)
      return true
    },
    endedByThemselves,
    async stop() {
      stopping = true
      await Promise.all(
        [...states.values()].map(async ({ child }) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          const ended = once(child, 'close')
          child.kill('SIGCONT')
          child.kill('SIGTERM')
          const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
          await ended
          clearTimeout(late)
        }),
      )
    },
  }
}
