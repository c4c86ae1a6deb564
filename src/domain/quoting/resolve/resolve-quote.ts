import type { Account, Store } from '../../account/account.ts'
import { crossFieldIssuesOf, type RequestKind } from '../../delivery/cross-field.ts'
import type { QuoteRequest } from '../../delivery/request.ts'
import type { Issue } from '../../errors.ts'
import { PRODUCT_TYPES } from '../../values.ts'
import { type Job, NO_CARRIERS } from '../job.ts'
import { jobParcels } from './job-parcels.ts'
import { destinationOf } from './resolve-place.ts'
import { deliveryTypeIssues, pinOf, providerIssues } from './resolve-provider.ts'
import { findNamedStore, modeIssues, storeIssues, USUAL_MODE } from './resolve-store.ts'
import { readyIssues, readyMsOf } from './resolve-time.ts'

export type ResolveContext = {
  /** The stores that the caller may see. */
  sight: (store: Store) => boolean
  nowMs: number
}

/** The job of a well-formed request, or every mistake that needs the account to detect. */
export function resolveQuote(
  account: Account,
  request: QuoteRequest,
  context: ResolveContext,
): { job: Job } | { issues: Issue[] } {
  return resolveJob(account, request, 'quote', context)
}

/** The steps that quotes and deliveries share. */
export function resolveJob(
  account: Account,
  request: QuoteRequest,
  kind: RequestKind,
  { sight, nowMs }: ResolveContext,
): { job: Job } | { issues: Issue[] } {
  const store = findNamedStore(account, request)
  const mode = request.deliveryMode ?? USUAL_MODE
  const readyForPickupAtMs = readyMsOf(request.readyForPickupAt, store?.zone ?? account.zone)
  const place = destinationOf(request.address)
  const { parcels, issues: wrongParcels } = jobParcels(account, request.parcels)
  const issues = [
    ...crossFieldIssuesOf(request, kind),
    ...storeIssues(account, request, sight),
    ...modeIssues(account, store, mode),
    ...readyIssues(readyForPickupAtMs, nowMs),
    ...deliveryTypeIssues(account, request.deliveryType),
    ...providerIssues(account, request.providerOptions),
    ...('issue' in place ? [place.issue] : []),
    ...wrongParcels,
  ]
  if (store === null || 'issue' in place || issues.length > 0) return { issues }
  return {
    job: {
      store,
      mode,
      destination: place.destination,
      parcels,
      readyForPickupAtMs,
      ignoreBufferTime: request.ignoreBufferTime,
      carrierReadyMs: NO_CARRIERS,
      carriersOff: NO_CARRIERS,
      rateResponses: NO_CARRIERS,
      declaredValueCents: request.priceCentsTotalValue,
      productTypes: new Set(PRODUCT_TYPES.filter((type) => request.productTypes[type] === true)),
      deliveryType: request.deliveryType,
      pin: pinOf(account, request.providerOptions),
    },
  }
}
