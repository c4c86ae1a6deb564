import pino, { type Logger } from 'pino'

/** What a log may hold of an error. Database errors also carry rows and connections: neither is ever written. */
function errorWithoutData(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error }
  const { code, constraint } = error as Error & { code?: string; constraint?: string }
  return { type: error.name, message: error.message, code, constraint, stack: error.stack }
}

/** The process's log: one JSON object a line, to standard output, without personal data. */
export function makeLog(level: string): Logger {
  return pino(
    { level, base: null, serializers: { err: errorWithoutData }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false }),
  )
}
