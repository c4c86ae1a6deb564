import type { Work } from './work.ts'

/** `times`: how often the step has then been done. By name, because another process may do a step first. */
export type CrashOrder = {
  work: Work
  databaseUrl: string
  secretKey: string
  dieAfter: { step: string; times: number }
}

/** The exit code of a process whose work ended before the step. */
export const STEP_NEVER_CAME = 43
