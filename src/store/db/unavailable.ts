/** Node's network errors for a database that could not be reached, or whose connection was lost. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOENT',
])

/**
 * SQLSTATEs (appendix A of PostgreSQL's manual): 08 connection, 53 out of disk, memory or connections, 57P0 shut
 * down or starting, 57014 took longer than the time limit, 25006 a standby during a switch-over, 25P03 waited
 * too long inside a transaction, 40001 and 40P01 gave way to another (nothing was done, and it works when tried
 * again), 55000 a database that takes no connections (closed for upkeep, or half dropped) or a standby that is
 * asked for a transaction number.
 */
const SQLSTATE = /^(08...|53...|57P0.|57014|25006|25P03|40001|40P01|55000)$/

/** Errors for which `pg` has a message but no code: no connection available, connection broken, or no answer. */
const WORDS =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client (has encountered|was closed)|Cannot use a pool after)/

/** Citus reports a worker that fails during a statement as an internal error, XX000, in its own words or libpq's. */
const CITUS =
  /^(failure on connection marked as essential|failed to (prepare transaction|COPY to shard)|server closed the connection|could not (send data to|receive data from) server|no connection to the server|connection not open|SSL SYSCALL error)/

/**
 * True if the database is temporarily at fault, not the caller or this code: the response is a 503, and a retry helps.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (NETWORK.has(code) || SQLSTATE.test(code) || WORDS.test(error.message)) return true
  if (code === 'XX000' && CITUS.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return isUnavailable(error.cause)
}
