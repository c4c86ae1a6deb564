import pg from 'pg'
import type { Servers } from './servers.ts'

/** A deadline allows at least this many ticks of the event loop, however late its timers fire. */
const STEPS = 20

/**
 * A deadline in event-loop time: calls `expired` after `ms`, unless the returned function was called before.
 * A plain timer that a stalled loop fires late runs before the data that arrived meanwhile is read, so an answer that
 * was in time counts as missing. Here a stall counts as one step of many, and pending data is read before the deadline
 * expires.
 */
function startLoopDeadline(ms: number, expired: () => void): () => void {
  let steps = 0
  let timer: NodeJS.Timeout | undefined
  let verdict: NodeJS.Immediate | undefined
  const step = (): void => {
    steps += 1
    if (steps < STEPS) timer = setTimeout(step, ms / STEPS).unref()
    // Immediates run after the loop has read its sockets.
    else verdict = setImmediate(expired)
  }
  timer = setTimeout(step, ms / STEPS).unref()
  return () => {
    clearTimeout(timer)
    clearImmediate(verdict)
  }
}

/** The message that `pg` itself uses: callers recognise an unavailable database by it. */
const TIMED_OUT = 'timeout exceeded when trying to connect'

export type DeadlineClientOptions = pg.ClientConfig & {
  servers: Servers
  /** Those behind a pooler, for connections that listen. */
  directServers?: Servers
  /** Connect timeout, in milliseconds of event-loop time; of several servers each gets its share. */
  connectMs: number
}

type ConnectCallback = (error: Error) => void

/** As PostgreSQL says it (25006, read_only_sql_transaction): callers recognise an unavailable database by the code. */
class WrongRole extends Error {
  readonly code = '25006'
}

type Internals = {
  connection: {
    stream: { destroy(error: Error): void }
    on(
      event: 'parameterStatus',
      heard: (message: { parameterName: string; parameterValue: string }) => void,
    ): void
  }
}

/**
 * A connection with a connect timeout in event-loop time: `pg`'s own timer gives up on a server that answered during a
 * stall. It fails at a server that does not have the role that is needed.
 */
export class DeadlineClient extends pg.Client {
  readonly #connectMs: number
  readonly #servers: Servers
  readonly #url: string

  constructor(options: DeadlineClientOptions) {
    const url = options.servers.url()
    super({ ...options, connectionString: url })
    this.#connectMs = options.connectMs / options.servers.count
    this.#servers = options.servers
    this.#url = url
  }

  override connect(): Promise<pg.Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    if (!callback) {
      return new Promise((resolve, reject) =>
        this.connect((error) => (error ? reject(error) : resolve(this))),
      )
    }
    const { connection } = this as unknown as Internals
    const cancel = startLoopDeadline(this.#connectMs, () => connection.stream.destroy(new Error(TIMED_OUT)))
    // Reported by every server as it accepts the connection (PostgreSQL 14 and newer).
    let isStandby = false
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on'
    })
    super.connect((error: Error) => {
      cancel()
      if (!error && this.#servers.suits({ isStandby })) return callback(error)
      this.#servers.leave(this.#url)
      if (error) return callback(error)
      this.end().catch(() => {})
      callback(new WrongRole(isStandby ? 'The server is a standby.' : 'The server is not a standby.'))
    })
  }
}

/** Connects to the first server that answers and has the role; each is tried once. Throws the last error. */
export async function connectClient(options: DeadlineClientOptions): Promise<pg.Client> {
  for (let left = options.servers.count; ; left--) {
    const client = new DeadlineClient(options)
    client.on('error', () => {})
    try {
      return await client.connect()
    } catch (error) {
      if (left <= 1) throw error
    }
  }
}

type Granted = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void

/** Between rounds of trying each of several servers: a standby takes a moment to become the primary. */
const ROUND_MS = 50

/**
 * A pool that also waits in event-loop time, both for new connections and for free ones. Of several servers it tries each
 * in turn until the deadline.
 */
export class DeadlinePool extends pg.Pool {
  readonly #connectMs: number
  readonly #servers: Servers

  constructor(options: pg.PoolConfig & DeadlineClientOptions) {
    super({ ...options, Client: DeadlineClient } as unknown as pg.PoolConfig)
    this.#connectMs = options.connectMs
    this.#servers = options.servers
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Granted): void
  override connect(callback?: Granted): Promise<pg.PoolClient> | void {
    if (!callback) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error))),
      )
    }
    let isOver = false
    let tried = 0
    const granted: Granted = (error, client, release) => {
      const { count } = this.#servers
      if (error && !isOver && !this.ending && count > 1) {
        tried += 1
        setTimeout(() => !isOver && super.connect(granted), tried % count === 0 ? ROUND_MS : 0).unref()
        return
      }
      cancel()
      if (!isOver) callback(error, client, release)
      else if (client) release()
    }
    const cancel = startLoopDeadline(this.#connectMs, () => {
      isOver = true
      this.#leaveQueue(granted)
      callback(new Error(TIMED_OUT), undefined, () => {})
    })
    super.connect(granted)
  }

  /**
   * As `pg-pool` does with its own timer: otherwise a queue of abandoned calls would grow while the database is
   * unavailable.
   */
  #leaveQueue(granted: Granted): void {
    const queue = (this as unknown as { _pendingQueue: { callback: Granted }[] })._pendingQueue
    const at = queue.findIndex(({ callback }) => callback === granted)
    if (at >= 0) queue.splice(at, 1)
  }
}
