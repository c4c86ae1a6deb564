import type pg from 'pg'
import { DeadlinePool } from './connect-within.ts'
import { parserOf } from './value-parsers.ts'

export type PoolOptions = {
  /** Connections at most. */
  max: number
  /** How this process is called in `pg_stat_activity`. */
  applicationName: string
  /** How long a connection is waited for, in milliseconds of event-loop time, where that is not as usual. */
  connectMs?: number | undefined
  /** Hears of a connection that died while nobody used it; the pool has replaced it already. */
  onError?: (error: Error) => void
  /** Hears of every statement as it is sent, by the name it is prepared under; others are `unnamed`. */
  onStatement?: (name: string) => void
}

/** Also the longest wait for a free connection: whoever waits longer is answered 503. */
const CONNECT_TIMEOUT_MS = 2_000
const STATEMENT_TIMEOUT_MS = 10_000
/** Past what a statement may take nothing comes from a server that is there. One that is not says nothing for 15 minutes. */
const GRACE_MS = 2_000
/** A connection that nobody uses is known to be dead this much and ten probes later, a second apart. */
const KEEP_ALIVE_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000

/**
 * Connections to one database. `timestamptz` comes out as epoch milliseconds, `bigint` and `numeric` as numbers
 * (throwing when a whole number is too large for one), `date` as its text.
 */
export function makePool(
  url: string,
  { max, applicationName, connectMs = CONNECT_TIMEOUT_MS, onError = () => {}, onStatement }: PoolOptions,
): pg.Pool {
  const pool = new DeadlinePool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // The parser of instants reads +00 the quick way; no statement of ours runs long enough to be worth compiling.
    options: '-c timezone=UTC -c jit=off',
    types: { getTypeParser: parserOf },
  })
  pool.on('error', onError)
  // While a connection is lent its death fails the query under way; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}))
  if (onStatement) pool.on('connect', (client) => tellStatements(client, onStatement))
  return pool
}

function tellStatements(client: pg.PoolClient, tell: (name: string) => void): void {
  client.query = new Proxy(client.query, {
    apply(query, self, args) {
      // Shapes of one statement are told as one.
      tell((args[0] as { name?: string } | undefined)?.name?.split('/', 1)[0] ?? 'unnamed')
      return Reflect.apply(query, self, args)
    },
  })
}

/**
 * Runs `fn` in a transaction: commits what it answers, rolls back what it throws.
 * A commit whose answer is lost throws as well, and may have happened. `statementMs`: what its statements may take,
 * where that is more than usual.
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
    broken = isSilence(error) ? error : await rollBack(client)
    throw error
  } finally {
    if (usual !== null) waitFor(client, usual)
    client.release(broken)
  }
}

/** Why the connection is of no more use; undefined: it is as it was. */
function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (failure: Error) => failure,
  )
}

/** Behind a statement that nothing came back for, another would only wait as long. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Sets how long a connection waits for a statement's answer, and answers how long it did. */
function waitFor(client: pg.PoolClient, ms: number): number {
  const { connectionParameters } = client as unknown as { connectionParameters: { query_timeout: number } }
  const before = connectionParameters.query_timeout
  connectionParameters.query_timeout = ms
  return before
}
