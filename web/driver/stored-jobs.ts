import type { DriverJob } from '../shared/api.generated.ts'
import { readStored, writeStored } from './phone-store.ts'

/**
 * The last job list from the server, its time by the phone's clock, and the ids of the steps that had been sent before
 * the phone requested it.
 */
type StoredJobs = { jobs: DriverJob[]; readMs: number; sentBefore?: readonly string[] }

export function saveJobs(list: StoredJobs): Promise<boolean> {
  return writeStored('list', list)
}

export function readJobs(): Promise<StoredJobs | null> {
  return readStored<StoredJobs>('list')
}
