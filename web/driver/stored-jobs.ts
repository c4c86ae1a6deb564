import type { DriverJob } from '../shared/api.generated.ts'
import { readStored, writeStored } from './phone-store.ts'

/** The last job list from the server, and its time by the phone's clock. */
type StoredJobs = { jobs: DriverJob[]; readMs: number }

export function saveJobs(list: StoredJobs): Promise<void> {
  return writeStored('list', list)
}

export function readJobs(): Promise<StoredJobs | null> {
  return readStored<StoredJobs>('list')
}
