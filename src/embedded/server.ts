import { spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, lstatSync, readSync, renameSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { openNoFollow } from './no-follow.ts'
import { findPostmaster, forgetReusedNumber, type Postmaster } from './postmaster.ts'
import { asUser, type PostgresUser } from './user.ts'

/** Only the end of the log explains why a server ended. */
const READ_BYTES = 65_536
const MAX_LINES = 3

/**
 * Why a PostgreSQL ended, from its log after the byte where that server began to write: its PANIC or FATAL
 * line with the lines that belong to it, otherwise its last lines.
 */
export function readFatalLines(logFile: string, startsAt: number): string {
  const lines = readFrom(logFile, startsAt)
    .split('\n')
    .filter((line) => line.trim() !== '')
  // The line with the cause; many FATAL lines of disconnected clients may follow it.
  const cause = lines.findIndex((line) => /\bPANIC: /.test(line))
  const at = cause >= 0 ? cause : lines.findIndex((line) => /\bFATAL: /.test(line) && !FOR_CLIENTS.test(line))
  if (at < 0) return lines.slice(-MAX_LINES).join(' | ') || NOTHING
  const isMore = (line: string) => /\b(DETAIL|HINT): /.test(line)
  const more = lines.slice(at + 1, at + MAX_LINES)
  const end = more.findIndex((line) => !isMore(line))
  return [lines[at], ...more.slice(0, end < 0 ? more.length : end)].join(' | ')
}

/** Sent to each of its clients, which did not cause the end. */
const FOR_CLIENTS =
  /the database system is |terminating (connection|autovacuum|logical)|password authentication/

const NOTHING = 'it wrote nothing to its log, as it does when the disk of the log is full.'

function readFrom(file: string, startsAt: number): string {
  try {
    const log = openNoFollow(file, constants.O_RDONLY)
    try {
      const text = Buffer.alloc(READ_BYTES)
      const from = Math.max(startsAt, fstatSync(log).size - READ_BYTES)
      return text.toString('utf8', 0, readSync(log, text, 0, READ_BYTES, from))
    } finally {
      closeSync(log)
    }
  } catch {
    return ''
  }
}

/**
 * A PostgreSQL that accepts connections. `ended` resolves when its process is gone; `lastWords` then returns
 * the reason, as far as it is known.
 */
export type Server = { pid: number; port: number; ended: Promise<void>; lastWords(): string }

export type ServerFiles = {
  dataFolder: string
  logFile: string
  binaries: Binaries
  user: PostgresUser
  settings: Record<string, string>
  /** Called when the server's process has started but does not accept connections yet. */
  begun: () => void
}

const POLL_MS = 10
const WATCH_MS = 250
const LOG_LIMIT_BYTES = 5_000_000

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // A socket's path has at most 107 bytes, and homes may be longer: TCP everywhere.
  max_connections: '100',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log', // Not each rejected statement: we handle those errors and log the ones that matter.
}

/** Starts the server and resolves when it accepts connections; recovery after a crash may take a while. */
export async function startServer(files: ServerFiles, port: number): Promise<Server> {
  const args = Object.entries({ ...SETTINGS, port: String(port), ...files.settings })
  forgetReusedNumber(files.dataFolder)
  const output = openLog(files.logFile)
  const { size: logStartsAt } = fstatSync(output)
  const lastWords = () => readFatalLines(files.logFile, logStartsAt)
  const child = spawn(
    files.binaries('postgres'),
    ['-D', files.dataFolder, ...args.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // Its own process group: we handle Ctrl-C, and requests in flight still need the database.
    { ...asUser(files.user), cwd: '/', detached: true, stdio: ['ignore', output, output] },
  )
  closeSync(output)
  let gone = false
  const ended = new Promise<void>((done) => {
    const finish = () => {
      gone = true
      done()
    }
    child.once('exit', finish)
    child.once('error', finish)
  })
  child.unref()
  files.begun()
  while (!gone) {
    const postmaster = findPostmaster(files.dataFolder)
    if (child.pid && postmaster?.pid === child.pid && postmaster.status === 'ready')
      return { pid: child.pid, port, ended, lastWords }
    await sleep(POLL_MS)
  }
  throw new Error(`PostgreSQL did not start: ${lastWords()}`)
}

/**
 * The server that a killed Drover process left running, once it accepts connections; null when there is no
 * such server.
 */
export async function adoptServer(dataFolder: string, logFile: string): Promise<Server | null> {
  for (;;) {
    const postmaster = findPostmaster(dataFolder)
    if (!postmaster) return null
    if (postmaster.status === 'ready') {
      const logStartsAt = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
      const lastWords = () => readFatalLines(logFile, logStartsAt)
      return { ...postmaster, ended: watch(dataFolder, postmaster), lastWords }
    }
    await sleep(POLL_MS)
  }
}

/** It is not our child process, so no event reports its end: we poll. */
async function watch(dataFolder: string, { pid }: Postmaster): Promise<void> {
  while (findPostmaster(dataFolder)?.pid === pid) await sleep(WATCH_MS, undefined, { ref: false })
}

function openLog(file: string): number {
  const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`)
  return openNoFollow(file, constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY, 0o600)
}
