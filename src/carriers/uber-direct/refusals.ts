import { z } from 'zod'
import { entryOf, excerpt } from '../answer.ts'
import type { Cure } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'

const Refused = z.object({
  code: z.string(),
  message: z.string().default(''),
  metadata: z.object({ delivery_id: z.string().optional() }).loose().optional().catch(undefined),
})

/** Whom a refusal leaves hope for, by Uber's code; any other is ours to mend. */
const CURES: Readonly<Record<string, Cure>> = {
  address_undeliverable: 'another_carrier',
  address_undeliverable_limited_couriers: 'another_carrier',
  couriers_busy: 'another_carrier',
  robo_couriers_busy: 'another_carrier',
  pickup_window_too_small: 'another_carrier',
  pickup_ready_too_early: 'another_carrier',
  pickup_ready_too_late: 'another_carrier',
  pickup_deadline_too_early: 'another_carrier',
  pickup_ready_time_not_specified: 'another_carrier',
  dropoff_deadline_too_early: 'another_carrier',
  dropoff_deadline_before_pickup_deadline: 'another_carrier',
  dropoff_ready_after_pickup_deadline: 'another_carrier',
  // Of the account, not of this delivery: somebody mends it, and the same request may be taken then.
  unauthorized: 'later',
  customer_suspended: 'later',
  customer_blocked: 'later',
  customer_not_found: 'later',
  customer_limited: 'later',
  missing_payment: 'later',
  not_allowed: 'later',
}

/** `code` null: these are not Uber's words, so somebody on the way said them. */
export type Refusal = { code: string | null; cure: Cure; said: string; duplicateOf: string | null }

export function refusalOf(body: unknown): Refusal {
  const parsed = Refused.safeParse(body)
  if (!parsed.success) return { code: null, cure: 'nobody', said: excerpt(body), duplicateOf: null }
  const { code, message, metadata } = parsed.data
  return {
    code,
    cure: entryOf(CURES, code) ?? 'nobody',
    said: excerpt(message ? `${code}: ${message}` : code),
    duplicateOf: code === 'duplicate_delivery' ? (metadata?.delivery_id ?? null) : null,
  }
}

/** No courier at the moment is said with 503, but by Uber itself: nothing was made. */
export function asBusy(response: CarrierResponse): Refusal | null {
  if (response.kind !== 'answered' || response.status !== 503) return null
  const refusal = refusalOf(response.body)
  return refusal.code?.endsWith('couriers_busy') ? refusal : null
}

/** The quote can be used no more; whether by us is told when we ask without it, under the same key. */
export function isQuoteGone(response: CarrierResponse): boolean {
  if (response.kind !== 'answered' || response.status !== 400) return false
  const { code } = refusalOf(response.body)
  return code === 'expired_quote' || code === 'used_quote' || code === 'mismatched_price_quote'
}
