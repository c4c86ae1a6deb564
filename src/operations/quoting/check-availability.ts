import type { QuoteRequest } from '../../domain/delivery/request.ts'
import { type AvailabilityDecision, checkAvailability } from '../../domain/quoting/availability.ts'
import type { Job } from '../../domain/quoting/job.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { resolveQuoteOrRefuse } from './resolve-delivery.ts'

/** The earliest window of each delivery type; asks no carrier and no database. */
export function checkDeliveryAvailability(
  entry: AccountEntry,
  caller: Caller,
  request: QuoteRequest,
): { availability: AvailabilityDecision; job: Job } {
  const job = resolveQuoteOrRefuse(entry, caller, request)
  return { availability: checkAvailability(entry.account, job, entry.nowMs()), job }
}
