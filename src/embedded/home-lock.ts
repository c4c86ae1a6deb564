import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, processStart } from './process-start.ts'

/** Process ids mean something only on the same host in the same pid namespace. Earlier builds wrote neither. */
type Holder = {
  pid: number
  start: string | null
  since: string
  host?: string
  pidNamespace?: string | null
}

/** How long a process may take between creating the file and writing it. */
const WRITING_MS = 500

/** Heartbeat: the holder touches the file this often, because other hosts and containers cannot see its process. */
const TOUCH_MS = 5_000
/** How long a start waits for such a holder’s heartbeat: hosts’ clocks may differ, so one time is not enough. */
const WATCH_MS = 12_000
/** A start takes over such a lock without waiting if the last heartbeat is older than this. */
const LONG_AGO_MS = 10 * 60_000

/**
 * Locks the folder for this process and returns a function that releases it. Throws "… has been in use by process
 * 1234 since …" when a living process has the lock; the lock of a killed process is taken over. The lock of another
 * host is taken over unless its holder touches it.
 */
export async function lockHome(home: string): Promise<() => void> {
  mkdirSync(home, { recursive: true })
  const file = join(home, 'drover.lock')
  const mine = JSON.stringify({
    pid: process.pid,
    start: processStart(process.pid),
    since: new Date().toISOString(),
    host: hostname(),
    pidNamespace: ownPidNamespace(),
  })
  for (;;) {
    if (createOnce(file, mine)) {
      const touching = setInterval(() => touch(file, mine), TOUCH_MS).unref()
      return () => {
        clearInterval(touching)
        if (read(file) === mine) rmSync(file, { force: true })
      }
    }
    const theirs = await readWritten(file)
    const holder = parse(theirs)
    if (holder && isElsewhere(holder)) {
      if (await isTouched(file)) {
        throw new Error(
          `${resolve(home)} has been in use by process ${holder.pid} on host ${holder.host} since ${holder.since}. ` +
            'Only one Drover can use it at a time. Stop that process, or set DROVER_HOME to another folder.',
        )
      }
    } else if (holder && isRunning(holder)) {
      throw new Error(
        `${resolve(home)} has been in use by process ${holder.pid} since ${holder.since}. Only one Drover can use it at a time. ` +
          'Stop that process, or set DROVER_HOME to another folder.',
      )
    }
    discard(file, theirs)
  }
}

function isElsewhere({ host, pidNamespace }: Holder): boolean {
  return host !== undefined && (host !== hostname() || pidNamespace !== ownPidNamespace())
}

/** Null where there are none, or their names cannot be read. */
function ownPidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

function isRunning({ pid, start }: Holder): boolean {
  return start === null ? isAlive(pid) : processStart(pid) === start
}

/** Renews the heartbeat, unless another process took over the lock while this one was suspended. */
function touch(file: string, mine: string): void {
  if (read(file) !== mine) return
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // The file was removed meanwhile, or the disk has an error: the next touch tries again.
  }
}

async function isTouched(file: string): Promise<boolean> {
  const mtimeMs = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const before = mtimeMs()
  if (before === undefined || Date.now() - before > LONG_AGO_MS) return false
  for (const endMs = performance.now() + WATCH_MS; performance.now() < endMs; await sleep(100)) {
    const now = mtimeMs()
    if (now !== before) return now !== undefined
  }
  return false
}

function createOnce(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o644 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function readWritten(file: string): Promise<string> {
  const first = read(file)
  if (first) return first
  await sleep(WRITING_MS)
  return read(file)
}

/**
 * Renamed first: if two processes find the same dead lock, only one gets it, and neither removes a live lock
 * unseen.
 */
function discard(file: string, judged: string): void {
  const aside = `${file}.${hostname()}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (read(aside) === judged) rmSync(aside, { force: true })
  else renameSync(aside, file)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function parse(text: string): Holder | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
