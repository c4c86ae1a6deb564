import pg from 'pg'

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
  /** Connect timeout, in milliseconds of event-loop time. */
  connectMs: number
}

type ConnectCallback = (error: Error) => void

/**
 * A connection with a connect timeout in event-loop time: `pg`'s own timer gives up on a server that answered during a
 * stall.
 */
export class DeadlineClient extends pg.Client {
  readonly #connectMs: number

  constructor(options: DeadlineClientOptions) {
    super(options)
    this.#connectMs = options.connectMs
  }

  override connect(): Promise<pg.Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    if (!callback) {
      return new Promise((resolve, reject) =>
        this.connect((error) => (error ? reject(error) : resolve(this))),
      )
    }
    const cancel = startLoopDeadline(this.#connectMs, () => {
      const { connection } = this as unknown as { connection: { stream: { destroy(error: Error): void } } }
      connection.stream.destroy(new Error(TIMED_OUT))
    })
    super.connect((error: Error) => {
      cancel()
      callback(error)
    })
  }
}

type Granted = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void

/** A pool that also waits in event-loop time, both for new connections and for free ones. */
export class DeadlinePool extends pg.Pool {
  readonly #connectMs: number

  constructor({ connectMs, ...options }: pg.PoolConfig & { connectMs: number }) {
    super({ ...options, connectMs, Client: DeadlineClient } as unknown as pg.PoolConfig)
    this.#connectMs = connectMs
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
    const granted: Granted = (error, client, release) => {
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
