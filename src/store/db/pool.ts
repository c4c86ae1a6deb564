import type pg from 'pg'
import { DeadlinePool } from './connect-within.ts'
import { serversOf } from './servers.ts'
import { getParser } from './value-parsers.ts'

export type PoolOptions = {
  /** Maximum number of connections. */
  max: number
  /** The name of this process in `pg_stat_activity`. */
  applicationName: string
  /** Of several servers, the one to use; the primary by default. */
  role?: 'primary' | 'standby'
  /**
   * PostgreSQL itself, if the URL is a pooler's: for connections that listen. A pooler refuses most settings of a
   * connection, so only the time zone is set; `SESSION_DEFAULTS` are up to the database role.
   */
  directUrl?: string | null | undefined
  /** Connect timeout in milliseconds of event-loop time, if not the default. */
  connectMs?: number | undefined
  /** Called when an idle connection died; the pool has replaced it already. */
  onError?: (error: Error) => void
  /** Called for every statement as it is sent, with its prepared name; others are `unnamed`. */
  onStatement?: (name: string) => void
}

/** Also the longest wait for a free connection: a request that waits longer gets a 503. */
const CONNECT_TIMEOUT_MS = 2_000
const STATEMENT_TIMEOUT_MS = 10_000
/** A live server answers within the statement timeout. A lost server is otherwise only noticed after 15 minutes. */
const GRACE_MS = 2_000
/** Keep-alive delay of an idle connection: a dead one is detected after this and ten more probes, one second apart. */
const KEEP_ALIVE_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000

/** The settings of Drover's connections. Behind a pooler, the operator sets them on the database role. */
export const SESSION_DEFAULTS: Readonly<Record<string, string>> = {
  statement_timeout: `${STATEMENT_TIMEOUT_MS}ms`,
  idle_in_transaction_session_timeout: `${IDLE_IN_TRANSACTION_TIMEOUT_MS}ms`,
  // No statement of ours runs long enough to be worth compiling.
  jit: 'off',
}

const SESSION_TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
}

/**
 * Connection pool of one database. `timestamptz` is read as epoch milliseconds, `bigint` and `numeric` as numbers
 * (throws if a whole number is too large), `date` as text.
 */
export function makePool(
  url: string,
  {
    max,
    applicationName,
    role,
    directUrl,
    connectMs = CONNECT_TIMEOUT_MS,
    onError = () => {},
    onStatement,
  }: PoolOptions,
): pg.Pool {
  const pool = new DeadlinePool({
    servers: serversOf(url, role),
    ...(directUrl ? { directServers: serversOf(directUrl) } : SESSION_TIMEOUTS),
    max,
    application_name: applicationName,
    connectMs,
    query_timeout: STATEMENT_TIMEOUT_MS + GRACE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // UTC lets the instant parser use its fast path for +00.
    options: directUrl ? '-c timezone=UTC' : '-c timezone=UTC -c jit=off',
    types: { getTypeParser: getParser },
  })
  // A server that stops right after us may still report the connections that we are closing.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error)
  })
  // If a checked-out connection dies, the current query fails; without a listener the error would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  if (onStatement) pool.on('connect', (client) => reportStatements(client, onStatement))
  return pool
}

function reportStatements(client: pg.PoolClient, report: (name: string) => void): void {
  client.query = new Proxy(client.query, {
    apply(query, self, args) {
      // Variants of one statement are reported as one.
      report((args[0] as { name?: string } | undefined)?.name?.split('/', 1)[0] ?? 'unnamed')
      return Reflect.apply(query, self, args)
    },
  })
}

/**
 * Runs `fn` in a transaction: commits and returns its result, or rolls back if it throws. A commit whose answer is lost
 * throws as well, and may have happened. `statementMs`: the statement timeout, if longer than usual.
 */
export async function withTransaction<T>(
  pool: pg.Pool,
  fn: (client: pg.PoolClient) => Promise<T>,
  { statementMs }: { statementMs?: number } = {},
): Promise<T> {
  const client = await pool.connect()
  const usual = statementMs === undefined ? null : waitFor(client, statementMs + GRACE_MS)
  let broken: Error | undefined
  try {
    await client.query('begin')
    if (statementMs !== undefined) await client.query(`set local statement_timeout = ${statementMs}`)
    const answer = await fn(client)
    await client.query('commit')
    return answer
  } catch (error) {
    broken = isSilence(error) || isStalePlan(error) ? error : await rollBack(client)
    throw error
  } finally {
    if (usual !== null) waitFor(client, usual)
    client.release(broken)
  }
}

/** Why the connection can no longer be used; undefined if it can. */
function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (failure: Error) => failure,
  )
}

/** After a statement that got no answer, another one would only wait as long. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/**
 * A migration has changed a table: this connection's prepared statements on it fail from now on. Outside a transaction,
 * the pool drops a connection after any error.
 */
function isStalePlan(error: unknown): error is Error {
  return error instanceof Error && error.message === 'cached plan must not change result type'
}

/** Sets the query timeout of a connection, and returns the previous one. */
function waitFor(client: pg.PoolClient, ms: number): number {
  const { connectionParameters } = client as unknown as { connectionParameters: { query_timeout: number } }
  const before = connectionParameters.query_timeout
  connectionParameters.query_timeout = ms
  return before
}
