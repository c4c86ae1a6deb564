/** Network errors of Node that mean the database was not reached, or was lost on the way. */
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

/** What `pg` says, in words only, when there is no connection to be had or the one in use broke or says nothing more. */
const WORDS =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client (has encountered|was closed)|Cannot use a pool after)/

/** True when the database, and not the caller or we, is at fault for now: the answer is 503 and trying again helps. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (NETWORK.has(code) || SQLSTATE.test(code) || WORDS.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return isUnavailable(error.cause)
}
