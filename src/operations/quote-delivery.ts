import type { QuoteRequest } from '../domain/delivery/request.ts'
import { decide } from '../domain/quoting/decide.ts'
import type { Decision } from '../domain/quoting/decision.ts'
import type { Job } from '../domain/quoting/job.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Caller } from './caller.ts'
import { askReadiness } from './carrier-readiness.ts'
import type { Deps } from './deps.ts'
import { resolveQuoteOrRefuse } from './resolve-delivery.ts'

/** What every service says to a request; the carriers themselves are asked only for a dynamic RFP. */
export async function quoteDelivery(
  deps: Pick<Deps, 'carrierOf'>,
  entry: AccountEntry,
  caller: Caller,
  request: QuoteRequest,
): Promise<{ decision: Decision; job: Job }> {
  const job = resolveQuoteOrRefuse(entry, caller, request)
  return request.useDynamicRfp
    ? decideDynamically(deps, entry, job)
    : { decision: decide(entry.account, job, entry.nowMs()), job }
}

/** Decides with the carriers' own word on when they could be at the store. */
export async function decideDynamically(
  deps: Pick<Deps, 'carrierOf'>,
  entry: AccountEntry,
  job: Job,
): Promise<{ decision: Decision; job: Job }> {
  const { carrierReadyMs, warnings } = await askReadiness(deps, entry.account, job)
  const asked = { ...job, carrierReadyMs }
  const decision = decide(entry.account, asked, entry.nowMs())
  return { decision: { ...decision, warnings: [...decision.warnings, ...warnings] }, job: asked }
}
