import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../packaged-process.ts'
import { until } from '../wait-until.ts'
import type { Role } from './seeded-bugs.ts'

/** Processes of the service by name, each restarted whenever it ends. */
export type Members<Name extends string> = {
  portOf(member: Name): number
  isUp(member: Name): boolean
  /** SIGKILL; a new process replaces it at once. False: it was not running, or still starting. */
  kill(member: Name): boolean
  /** SIGSTOP now, SIGCONT after `ms`, unless it was killed meanwhile. */
  freeze(member: Name, ms: number): boolean
  /** Processes that had started and ended without a kill, with their last output. */
  endedByThemselves: string[]
  /** The log of all of them so far; only its end if `outputKept` is small. */
  output(): string
  stop(): Promise<void>
}

export type MembersOptions<Name extends string> = {
  names: readonly Name[]
  /** Starts the process, which serves `/health/live` on that port. */
  start(member: Name, port: string): ChildProcess
  /** Characters of each process's output that are kept. */
  outputKept?: number
}

const LOOK_MS = 100
const AGAIN_MS = 300
const OUTPUT_KEPT = 2_000
const STOP_PATIENCE_MS = 15_000

const MAIN = fileURLToPath(new URL('../../bin/drover.mjs', import.meta.url))
/** As in `npm start`, without the trace collector. */
const NODE_FLAGS = ['--v8-pool-size=1', '--max-semi-space-size=16']

/** `drover api` or `drover worker` as shipped, or a program with seeded bugs in its place. */
export function startRole(
  role: Role,
  port: string,
  env: Readonly<Record<string, string>>,
  program = MAIN,
): ChildProcess {
  return spawn(process.execPath, [...NODE_FLAGS, program, role], {
    env: {
      ...{ PATH: process.env.PATH, HOST: '127.0.0.1', DROVER_HOME: '/nonexistent' },
      [role === 'api' ? 'PORT' : 'DROVER_WORKER_PORT']: port,
      NODE_COMPILE_CACHE: join(tmpdir(), 'drover-members-cache'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

type MemberState = { child: ChildProcess; up: boolean; killed: boolean; output: string }

/** Starts all of them, and does not wait until they are up. */
export async function startMembers<Name extends string>({
  names,
  start: startProcess,
  outputKept = OUTPUT_KEPT,
}: MembersOptions<Name>): Promise<Members<Name>> {
  const ports = new Map<Name, string>()
  for (const name of names) ports.set(name, await freePort())
  const states = new Map<Name, MemberState>()
  const endedByThemselves: string[] = []
  let stopping = false

  const start = (member: Name): void => {
    const port = ports.get(member) as string
    const child = startProcess(member, port)
    const now: MemberState = { child, up: false, killed: false, output: '' }
    states.set(member, now)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => (now.output = `${now.output}${text}`.slice(-outputKept)))
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

  for (const member of names) start(member)
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
    output: () => [...states.values()].map(({ output }) => output).join(''),
    async stop() {
      stopping = true
      await Promise.all(
        [...states.values()].map(async ({ child }) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          const ended = once(child, 'close')
          child.kill('SIGCONT')
          child.kill('SIGTERM')
          const late = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS)
          await ended
          clearTimeout(late)
        }),
      )
    },
  }
}

/** Waits until all of them are up. Throws if one does not start. */
export async function untilUp<Name extends string>(
  { isUp }: Pick<Members<Name>, 'isUp'>,
  names: readonly Name[],
): Promise<void> {
  const down = () => names.filter((name) => !isUp(name))
  await until(
    () => down().length === 0,
    () => `${down().join(', ')} to start`,
  )
}
