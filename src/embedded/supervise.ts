import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fullDiskSentence } from './disk-space.ts'
import { readNoFollow } from './no-follow.ts'
import { adoptServer, type Server, type ServerFiles, startServer } from './server.ts'
import { asUser } from './user.ts'

/** Fast mode ends all sessions and writes a checkpoint; if even that takes longer, the next start recovers. */
const FAST_MS = 20_000
const IMMEDIATE_MS = 5_000

/** Stops a server: fast mode, then immediate mode, then by force. Resolves when its process is gone. */
async function shutDown(files: ServerFiles, server: Server): Promise<void> {
  if (process.platform === 'win32') {
    spawnSync(files.binaries('pg_ctl'), ['stop', '-m', 'fast', '-w', '-D', files.dataFolder], {
      ...asUser(files.user),
      stdio: 'ignore',
    })
    return
  }
  if (await endsAfter(server, 'SIGINT', FAST_MS)) return
  if (await endsAfter(server, 'SIGQUIT', IMMEDIATE_MS)) return
  await endsAfter(server, 'SIGKILL', IMMEDIATE_MS)
}

async function endsAfter(server: Server, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  try {
    process.kill(server.pid, signal)
  } catch {
    return true
  }
  const waiting = new AbortController()
  const late = sleep(withinMs, false, { signal: waiting.signal }).catch(() => false)
  const ended = await Promise.race([server.ended.then(() => true), late])
  waiting.abort()
  return ended
}

export type Supervised = { port: number; adopted: boolean; stop(): Promise<void> }

export type Watched = ServerFiles & { home: string; place: string; log: (line: string) => void }

/** Backoff: waits between restarts, short at first, then the last delay for ever (a full disk may be emptied). */
const RESTART_DELAYS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000]
const LAST_DELAY_MS = 30_000

const FIRST_ATTEMPTS = 5

/** Keeps a server running on the data folder until it is stopped; restarts it whenever it dies. */
export async function supervise(watched: Watched): Promise<Supervised> {
  const left = await adoptServer(watched.dataFolder, watched.logFile)
  if (left) watched.log(`Adopted the PostgreSQL that an earlier process left behind (process ${left.pid}).`)
  let server = left ?? (await firstStart(watched))
  const { port } = server
  // Another process may have the id of a server that has ended.
  let isUp = true
  const stopping = new AbortController()

  const onExit = () => {
    if (isUp) process.kill(server.pid, 'SIGINT')
  }
  process.once('exit', onExit)
  const running = keepRunning()
  return { port, adopted: left !== null, stop }

  async function keepRunning(): Promise<void> {
    for (;;) {
      await server.ended
      isUp = false
      if (stopping.signal.aborted) return
      const why = [server.lastWords(), await fullDiskSentence(watched.home)].join(' ').trim()
      watched.log(
        `PostgreSQL (process ${server.pid}) ended by itself. Drover is starting it again. Its last log line: ${why}`,
      )
      const next = await startAgain(watched, port, stopping.signal)
      if (!next) return
      server = next
      isUp = true
      if (stopping.signal.aborted) return shutDown(watched, server)
      watched.log(`PostgreSQL runs again (process ${server.pid}).`)
    }
  }

  async function stop(): Promise<void> {
    if (!stopping.signal.aborted) {
      stopping.abort()
      if (isUp) await shutDown(watched, server)
    }
    await running
    process.off('exit', onExit)
  }
}

/**
 * Another process may take the port between choosing and using it, and a killed server may still be shutting
 * down.
 */
async function firstStart(watched: Watched): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer(watched, await choosePort(watched.place))
    } catch (error) {
      if (attempt === FIRST_ATTEMPTS) throw error
      await sleep(100 * 2 ** attempt)
    }
  }
}

async function startAgain(watched: Watched, port: number, stopping: AbortSignal): Promise<Server | null> {
  for (let attempt = 0; ; attempt++) {
    const delayMs = RESTART_DELAYS_MS[attempt] ?? LAST_DELAY_MS
    await sleep(delayMs, undefined, { ref: false, signal: stopping }).catch(() => {})
    if (stopping.aborted) return null
    try {
      return await startServer(watched, port)
    } catch (error) {
      watched.log([(error as Error).message, await fullDiskSentence(watched.home)].join(' ').trim())
    }
  }
}

/** The previous port if it is free, otherwise another one, which is stored for the next start. */
async function choosePort(place: string): Promise<number> {
  const file = join(place, 'port')
  const kept = readKept(file)
  if (kept && (await bindOnce(kept))) return kept
  const port = await bindOnce(0)
  if (!port) throw new Error('There is no free port on 127.0.0.1 for PostgreSQL.')
  rmSync(file, { force: true })
  writeFileSync(file, `${port}\n`, { flag: 'wx' })
  return port
}

function readKept(file: string): number | null {
  try {
    return Number(readNoFollow(file)) || null
  } catch {
    return null
  }
}

/** The port that could be bound (0 asks for any), released again; null when it is in use. */
function bindOnce(port: number): Promise<number | null> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(null))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(address && typeof address === 'object' ? address.port : null))
    })
  })
}
