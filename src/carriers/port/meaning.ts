import type { Status } from '../../domain/delivery/status.ts'

/** What a word of a carrier's means to us. A null status: it moves nothing. */
export type Meaning = { status: Status | null; subStatus: string | null }

export function moves(status: Status | null, subStatus: string | null = null): Meaning {
  return { status, subStatus }
}

export const NOTHING: Meaning = moves(null)
