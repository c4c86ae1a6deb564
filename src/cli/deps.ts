import type { Pool } from 'pg'
import type { ArchiveStorage } from '../operations/archive/archive-months.ts'
import type { Deps } from '../operations/deps.ts'

/** The dependencies that `main.ts` passes to commands. */
export type CliDeps = {
  start(): Promise<void>
  api(): Promise<void>
  worker(): Promise<void>
  /**
   * Runs with the database of DATABASE_URL, or the embedded one of DROVER_HOME: the running server's, or one
   * started only for this call.
   */
  withDatabase<T>(
    use: (database: {
      db: Pool
      secretKey: string
      oldSecretKeys: readonly string[]
      publicUrl: string
      /** Whether a mail server is set, so that Drover sends email. */
      hasSmtp: boolean
    }) => Promise<T>,
  ): Promise<T>
  /** Runs with all dependencies of a Drover process, on the same database; processes no due work. */
  withService<T>(use: (deps: Deps) => Promise<T>): Promise<T>
  /** All checks of a set-up, in the order of the output. */
  examine(): Promise<Finding[]>
  /** Migrates the same database to the newest schema; returns the applied files. */
  migrate(): Promise<string[]>
  /** Distributes the tables of a Citus database; returns those that it distributed. */
  distribute(options: { shards: number | undefined }): Promise<string[]>
  /** Partitions by month the tables that have rows for every delivery; returns the tables that it partitioned. */
  partition(): Promise<string[]>
  /** Throws a readable message if a bucket's settings are missing. */
  archiveStorage(place: ArchivePlace): ArchiveStorage
}

/** Where `drover archive` writes. */
export type ArchivePlace = { folder: string } | { bucket: string; prefix: string }

/** The result of one check. `wrong` needs action; a `note` is only information. */
export type Finding = {
  check: string
  found: 'good' | 'note' | 'wrong'
  message: string
  /** What to do; null when no action is needed. */
  remedy: string | null
}
