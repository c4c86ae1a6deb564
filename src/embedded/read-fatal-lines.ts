import { closeSync, openSync, readSync } from 'node:fs'

/** Only the end of the log explains why a server ended. */
const READ_BYTES = 65_536
const LINES_AT_MOST = 3

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
  if (at < 0) return lines.slice(-LINES_AT_MOST).join(' | ') || NOTHING
  const isMore = (line: string) => /\b(DETAIL|HINT): /.test(line)
  const more = lines.slice(at + 1, at + LINES_AT_MOST)
  const end = more.findIndex((line) => !isMore(line))
  return [lines[at], ...more.slice(0, end < 0 ? more.length : end)].join(' | ')
}

/** Sent to each of its clients, which did not cause the end. */
const FOR_CLIENTS =
  /the database system is |terminating (connection|autovacuum|logical)|password authentication/

const NOTHING = 'it wrote nothing to its log, as it does when the disk of the log is full.'

function readFrom(file: string, startsAt: number): string {
  try {
    const log = openSync(file, 'r')
    try {
      const text = Buffer.alloc(READ_BYTES)
      return text.toString('utf8', 0, readSync(log, text, 0, READ_BYTES, startsAt))
    } finally {
      closeSync(log)
    }
  } catch {
    return ''
  }
}
