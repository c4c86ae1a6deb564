import type { Status } from '../../domain/delivery/status.ts'

/** Our meaning of a carrier's status. Status null: it changes nothing. */
export type MappedStatus = { status: Status | null; subStatus: string | null }

export function statusChange(status: Status | null, subStatus: string | null = null): MappedStatus {
  return { status, subStatus }
}

export const NO_CHANGE: MappedStatus = statusChange(null)
