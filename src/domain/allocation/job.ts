import type { RankWords } from './explain-ranking.ts'

/** An allocation in the background, as people see it. */
export type AllocationJob = {
  jobId: string
  status: 'queued' | 'running' | 'done' | 'failed'
  /** The stores that the asking client may see; null: all. */
  storeReferences: readonly string[] | null
  ranks: readonly RankWords[] | null
  /** Why it failed. */
  reason: string | null
}
