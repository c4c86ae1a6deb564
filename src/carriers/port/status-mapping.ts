import type { Status } from '../../domain/delivery/status.ts'

/** What a word of a carrier's means to us. A null status: it moves nothing. */
export type MappedStatus = { status: Status | null; subStatus: string | null }

export function statusChange(status: Status | null, subStatus: string | null = null): MappedStatus {
  return { status, subStatus }
}

export const NO_CHANGE: MappedStatus = statusChange(null)
