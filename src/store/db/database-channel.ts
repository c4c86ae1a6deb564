import type { Pool } from 'pg'
import { listen } from './listen.ts'

/** Messages between processes of one database, over one of its channels. */
export type DatabaseChannel = {
  send(message: string): Promise<unknown>
  listen(heard: (message: string) => void): void
  stop(): Promise<void>
}

export function databaseChannel(db: Pool, channel: string): DatabaseChannel {
  let unlisten = async (): Promise<void> => {}
  let stopped = false
  return {
    send: async (message) => {
      if (stopped) return
      await db.query({ name: 'notify-peers', text: 'select pg_notify($1, $2)', values: [channel, message] })
    },
    listen: (heard) => {
      unlisten = listen(db, channel, heard)
    },
    stop: () => {
      stopped = true
      return unlisten()
    },
  }
}
