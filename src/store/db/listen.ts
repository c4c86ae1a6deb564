import pg from 'pg'
import { DeadlineClient, type DeadlineClientOptions } from './connect-within.ts'

const RECONNECT_MS = 1_000

/**
 * Calls `heard` with the payload of every notification on a channel, until the returned function is called. Reconnects
 * whenever the connection is lost. Notifications sent meanwhile are missed, so `heard` is called with '' after every
 * connect. Never throws: listeners poll as well.
 */
export function listen(
  pool: pg.Pool,
  channel: string,
  heard: (payload: string) => void,
  onError: (error: Error) => void = () => {},
): () => Promise<void> {
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  async function connect(): Promise<void> {
    const options = pool.options as pg.PoolOptions & DeadlineClientOptions
    const connection = new DeadlineClient({ ...options, servers: options.directServers ?? options.servers })
    client = connection
    // One lost connection may emit both `error` and `end`.
    const lost = (error?: Error) => {
      if (client !== connection) return
      client = null
      if (error) onError(error)
      connection.end().catch(() => {})
      if (!stopped) retry = setTimeout(connect, RECONNECT_MS).unref()
    }
    connection.on('error', lost)
    connection.on('end', () => lost())
    connection.on('notification', ({ payload }) => heard(payload ?? ''))
    try {
      await connection.connect()
      await connection.query(`listen ${pg.escapeIdentifier(channel)}`)
      heard('')
    } catch (error) {
      lost(error as Error)
    }
  }

  void connect()
  return async () => {
    stopped = true
    clearTimeout(retry)
    const connection = client
    client = null
    await connection?.end().catch(() => {})
  }
}
