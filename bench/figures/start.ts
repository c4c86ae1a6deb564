import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopChild } from '../environment/child.ts'
import { temporaryHome } from '../environment/database.ts'
import type { Environment } from '../environment/environment.ts'
import { freePort } from '../environment/free-port.ts'
import { HOST, spawnService, startService } from '../environment/service.ts'
import { openConnection } from '../load/connection.ts'
import { requestText } from '../load/load.ts'
import { rotated } from '../rounds.ts'
import { deliveryBody } from './delivery.ts'
import { atMost, type Figure } from './figure.ts'
import { timeFigure } from './ratio-figure.ts'

const BARE = new URL('../baselines/bare-start-process.ts', import.meta.url).pathname
const RETRY_MS = 2
const LIMIT_MS = 30_000

/** The time from the start of the process, including the database, to the first 201, on existing data. */
export async function startFigures({ plan }: Environment): Promise<Figure[]> {
  const home = temporaryHome()
  const bareHome = temporaryHome()
  try {
    const first = await startService(home)
    const { token } = first
    await first.stop()
    let n = 0
    const ours = () =>
      secondsTo(
        (port) => spawnService(home, port),
        (host) => requestText('POST /demo/deliveries', { host, token, body: deliveryBody(`START-${++n}`) }),
      )
    const limit = () =>
      secondsTo(
        (port) =>
          spawn(process.execPath, [BARE, bareHome, String(port)], {
            // With the compile cache that our scripts keep, as users start it.
            env: { ...process.env, NODE_COMPILE_CACHE: undefined },
            stdio: ['ignore', 'ignore', 'inherit'],
          }),
        (host) => requestText('POST /things', { host, body: deliveryBody('BARE') }),
      )
    if (plan.rounds > 1) {
      await ours()
      await limit()
    }
    const rounds = await rotated(plan.rounds, { ours, limit })
    const name = 'start to first durable create ÷ bare start to first insert'
    return [timeFigure(name, atMost(2.5, 1.5), rounds, (seconds) => `${Math.round(seconds * 1_000)} ms`)]
  } finally {
    for (const one of [home, bareHome]) rmSync(one, { recursive: true, force: true })
  }
}

async function secondsTo(
  start: (port: number) => ChildProcess,
  request: (host: string) => string,
): Promise<number> {
  const port = await freePort()
  const beganMs = performance.now()
  const child = start(port)
  try {
    const bytes = request(HOST)
    while ((await statusOf(port, bytes)) !== 201) {
      if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`)
      if (performance.now() - beganMs > LIMIT_MS)
        throw new Error('The service did not create a delivery in time.')
      await sleep(RETRY_MS)
    }
    return (performance.now() - beganMs) / 1_000
  } finally {
    await stopChild(child)
  }
}

/** Null while the service does not listen. */
async function statusOf(port: number, request: string): Promise<number | null> {
  try {
    const connection = await openConnection(HOST, port)
    const { status } = await connection.ask(request)
    connection.close()
    return status
  } catch {
    return null
  }
}
