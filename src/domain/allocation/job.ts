import type { RankWords } from './explain-ranking.ts'

/** A background allocation, as people see it. */
export type AllocationJob = {
  jobId: string
  status: 'queued' | 'running' | 'done' | 'failed'
  /** The stores that the client may see; null: all. */
  storeReferences: readonly string[] | null
  ranks: readonly RankWords[] | null
  /** Why it failed. */
  reason: string | null
}
