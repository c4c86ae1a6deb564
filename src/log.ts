import pino, { type DestinationStream, type Logger } from 'pino'

/** The fields of an error that the log may contain, and not the rows and connections that database errors have. */
function errorWithoutData(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error }
  const { code, constraint } = error as Error & { code?: string; constraint?: string }
  return { type: error.name, message: error.message, code, constraint, stack: error.stack }
}

/**
 * The process's log: one JSON object a line, to standard output, without personal data. `mixin` returns fields that are
 * added to every line.
 */
export function makeLog(level: string, mixin?: () => object): Logger {
  stdout ??= together(process.stdout)
  const serializers = { err: errorWithoutData }
  const options = { level, base: null, serializers, timestamp: isoTime, ...(mixin ? { mixin } : {}) }
  return pino(options, stdout)
}

/** One stream for the process, shared by all logs. */
let stdout: DestinationStream | null = null

/** A line is written this soon at the latest, and at the end of the process; only a kill can lose it. */
const FLUSH_MS = 100
const TOGETHER_BYTES = 65_536
/** The most that one character of a string takes in UTF-8. */
const BYTES_A_CHAR = 3

/**
 * Writes lines together: a system call for each line was a sixth of all CPU time of a quote, and one long text of
 * them a twentieth.
 */
function together(out: { write(bytes: Uint8Array | string): unknown }): DestinationStream {
  let pending: Buffer | null = null
  let length = 0
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    // The stream may keep what it is given, so the next lines go elsewhere.
    if (pending) out.write(pending.subarray(0, length))
    pending = null
    length = 0
  }
  process.once('exit', flush)
  return {
    write: (line) => {
      const max = line.length * BYTES_A_CHAR
      if (length + max > TOGETHER_BYTES) flush()
      if (max > TOGETHER_BYTES) {
        out.write(line)
        return
      }
      pending ??= Buffer.allocUnsafe(TOGETHER_BYTES)
      length += pending.write(line, length)
      timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
  }
}

let timeMs = 0
let time = ''

/** `,"time":"2026-11-24T02:00:00.000Z"`, made once for all lines of a millisecond. */
function isoTime(): string {
  const nowMs = Date.now()
  if (nowMs !== timeMs) {
    timeMs = nowMs
    time = `,"time":"${new Date(nowMs).toISOString()}"`
  }
  return time
}
