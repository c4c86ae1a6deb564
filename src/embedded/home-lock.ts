import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStart } from './process-start.ts'

type Holder = { pid: number; start: string | null; since: string }

/** How long a process may take between creating the file and writing it. */
const WRITING_MS = 500

/**
 * Locks the folder for this process and returns a function that releases it. Throws "… has been in use by process
 * 1234 since …" when a living process has the lock; the lock of a killed process is taken over.
 */
export async function lockHome(home: string): Promise<() => void> {
  mkdirSync(home, { recursive: true })
  const file = join(home, 'drover.lock')
  const mine = JSON.stringify({
    pid: process.pid,
    start: processStart(process.pid),
    since: new Date().toISOString(),
  })
  for (;;) {
    if (createOnce(file, mine)) {
      return () => {
        if (read(file) === mine) rmSync(file, { force: true })
      }
    }
    const theirs = await readWritten(file)
    const holder = parse(theirs)
    if (holder && processStart(holder.pid) === holder.start) {
      throw new Error(
        `${resolve(home)} has been in use by process ${holder.pid} since ${holder.since}. Only one Drover can use it at a time. ` +
          'Stop that process, or set DROVER_HOME to another folder.',
      )
    }
    discard(file, theirs)
  }
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
  const aside = `${file}.${process.pid}`
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
