import type { Work } from './work.ts'

/**
 * The process dies when it has done `step` this many times. Steps have names, not numbers, because another process may
 * do one first.
 */
export type CrashOrder = {
  work: Work
  databaseUrl: string
  secretKey: string
  dieAfter: { step: string; times: number }
}

/** The exit code of a process whose work ended before the step. */
export const STEP_NOT_REACHED = 43
