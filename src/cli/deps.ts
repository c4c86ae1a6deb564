import type { Pool } from 'pg'
import type { Deps } from '../operations/context/deps.ts'

/** What `main.ts` gives to commands. */
export type CliDeps = {
  start(): Promise<void>
  api(): Promise<void>
  worker(): Promise<void>
  /**
   * Runs with the database of DATABASE_URL, or the embedded one of DROVER_HOME: that of the running server, or
   * started for as long as this takes.
   */
  withDatabase<T>(
    use: (database: {
      db: Pool
      secretKey: string
      oldSecretKeys: readonly string[]
      publicUrl: string
    }) => Promise<T>,
  ): Promise<T>
  /** Runs with everything that a process of the product has, on the same database; no due work is done. */
  withService<T>(use: (deps: Deps) => Promise<T>): Promise<T>
  /** Everything that is checked of a set-up, in the order it is told. */
  examine(): Promise<Finding[]>
  /** Brings the same database to the newest schema; answers the files applied. */
  migrate(): Promise<string[]>
}

/** What one check found. `wrong` wants doing something about; a `note` only wants knowing. */
export type Finding = {
  check: string
  found: 'good' | 'note' | 'wrong'
  said: string
  /** What to do; null where there is nothing to do. */
  remedy: string | null
}
