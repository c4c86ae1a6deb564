import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './process-start.ts'

/** The server process that PostgreSQL's own file in the data folder names. */
export type Postmaster = { pid: number; port: number; status: string }

/**
 * The living server of a data folder, or null. The lines of `postmaster.pid` are: process, folder, start, port,
 * socket folder, address, shared memory, status (PostgreSQL's miscadmin.h).
 */
export function findPostmaster(dataFolder: string): Postmaster | null {
  const lines = readLines(join(dataFolder, 'postmaster.pid'))
  const pid = Number(lines[0])
  if (!pid || !isAlive(pid) || !isServerOf(pid, dataFolder)) return null
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? 'starting' }
}

/**
 * Removes the file when another program now has its process id: PostgreSQL would take that program for its
 * own server.
 */
export function forgetReusedNumber(dataFolder: string): void {
  const file = join(dataFolder, 'postmaster.pid')
  const pid = Number(readLines(file)[0])
  if (pid && isAlive(pid) && !isServerOf(pid, dataFolder)) rmSync(file, { force: true })
}

/** Another process may have the id by now: the command line names the folder. */
function isServerOf(pid: number, dataFolder: string): boolean {
  if (process.platform === 'win32') return runsPostgres(pid)
  return commandLine(pid).includes(dataFolder)
}

/** Windows is slow to show a command line, so this checks only the program's name. True if `tasklist` fails. */
function runsPostgres(pid: number): boolean {
  try {
    const row = execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], { encoding: 'utf8' })
    return row.includes('postgres')
  } catch {
    return true
  }
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
