import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryHome, withCleanUps } from '../../test/harness/clean-ups.ts'
import { freePort } from '../../test/packaged-process.ts'
import { requestsAt } from './requests.ts'

export type Start = {
  outcome: 'served' | 'ended after it was ready' | 'never ready' | 'did not stop cleanly'
  /** Requests with a response of any status. */
  answered: number
  output: string
}

const PROJECT = resolve(import.meta.dirname, '..', '..')
/** The failed checks within 3.5 s of its first *ready*. */
const WATCH_MS = 8_000
const READY_WITHIN_MS = 180_000
const STOPS_WITHIN_MS = 60_000
const POLL_MS = 100

/** One `npm start` in a new home, under load from its first moment, observed after it is ready, and stopped. */
export function startOnce(): Promise<Start> {
  return withCleanUps(async (cleanUps) => {
    const port = await freePort()
    const service = startService(temporaryHome(cleanUps), port)
    cleanUps.after(() => service.child.kill('SIGKILL'))
    const requests = requestsAt(`http://127.0.0.1:${port}`)
    cleanUps.after(requests.stop)
    const outcome = await watch(service, `http://127.0.0.1:${port}/health/ready`)
    return { outcome, answered: requests.answered(), output: service.output() }
  })
}

type Service = { child: ChildProcess; output(): string; hasEnded(): boolean; ended: Promise<number | null> }

/** The command of package.json's `start`, without npm in between. */
function startService(home: string, port: string): Service {
  const { DATABASE_URL: _, ...inherited } = process.env
  const args = ['--expose-gc', '--v8-pool-size=1', '--max-semi-space-size=16', 'bin/drover.mjs', 'start']
  const env = { ...inherited, DROVER_HOME: home, PORT: port, LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, args, { cwd: PROJECT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  let isOver = false
  const ended = once(child, 'close').then(([code]) => {
    isOver = true
    return code as number | null
  })
  return { child, output: () => output, hasEnded: () => isOver, ended }
}

async function watch({ child, ended, hasEnded }: Service, readyUrl: string): Promise<Start['outcome']> {
  const readyByMs = performance.now() + READY_WITHIN_MS
  while (!(await isReady(readyUrl))) {
    if (hasEnded() || performance.now() > readyByMs) return 'never ready'
    await sleep(POLL_MS)
  }
  if ((await Promise.race([ended, sleep(WATCH_MS, 'still there')])) !== 'still there')
    return 'ended after it was ready'
  child.kill('SIGINT')
  const code = await Promise.race([ended, sleep(STOPS_WITHIN_MS, 'still there')])
  return code === 0 ? 'served' : 'did not stop cleanly'
}

function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
