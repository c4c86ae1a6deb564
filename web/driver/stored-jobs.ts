import type { DriverJob } from '../shared/api.generated.ts'
import { keep, kept } from './phone-store.ts'

/** The last job list from the server, and its time by the phone's clock. */
type KeptJobs = { jobs: DriverJob[]; readMs: number }

export function saveJobs(list: KeptJobs): Promise<void> {
  return keep('list', list)
}

export function readJobs(): Promise<KeptJobs | null> {
  return kept<KeptJobs>('list')
}
