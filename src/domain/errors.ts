const V8_ERROR = Error as unknown as { stackTraceLimit: number }

/** An expected error: a request that we reject. Any other thrown error is our own bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly issues: readonly Issue[]
  /** Extra members of the problem document, e.g. the `delivery_id` a duplicate belongs to. */
  readonly details: Readonly<Record<string, unknown>>
  /** The cost of finding it, in requests of the caller's rate limit beyond the request itself. */
  readonly cost: number

  constructor(
    code: RefusalCode,
    message: string,
    {
      issues = [],
      details = {},
      cost = 0,
    }: { issues?: readonly Issue[]; details?: Record<string, unknown>; cost?: number } = {},
  ) {
    // No stack trace: it is not needed for a refusal, and capturing it is a tenth of a refusal's
    // cost.
    const { stackTraceLimit } = V8_ERROR
    V8_ERROR.stackTraceLimit = 0
    super(message)
    V8_ERROR.stackTraceLimit = stackTraceLimit
    this.code = code
    this.issues = issues
    this.details = details
    this.cost = cost
  }
}

/** One mistake in an input. `field` is a path in the caller's own request: `parcels[0].weight_kg`. */
export type Issue = { field: string; issue: IssueKind; message: string }

/** Enough to fix a request with, so that a request full of mistakes does not get a megabyte in response. */
export const MAX_ISSUES = 100

/** The kind of mistake, as one word that a program can switch on. */
export type IssueKind =
  | 'required'
  | 'unknown_field'
  | 'invalid_type'
  | 'invalid_value'
  | 'out_of_range'
  | 'too_long'
  | 'too_short'
  | 'too_many'
  | 'conflict'
  | 'unknown_store'
  | 'unknown_provider'
  | 'unknown_service'
  | 'unknown_definition'
  | 'unknown_place'
  | 'not_enabled'
  | 'unknown_delivery'
  | 'not_eligible'
  | 'not_granted'

/** All refusal codes. Clients switch on them, so they are never renamed. */
export type RefusalCode =
  | 'malformed_json'
  | 'invalid_idempotency_key'
  | 'invalid_request'
  | 'unauthorized'
  | 'insufficient_scope'
  | 'spending_limit_reached'
  | 'capability_disabled'
  | 'not_granted'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'request_timeout'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'service_unavailable'
  | 'duplicate_reference'
  | 'duplicate_link'
  | 'ambiguous_reference'
  | 'no_service_available'
  | 'option_changed'
  | 'delivery_already_consigned'
  | 'delivery_erased'
  | 'not_erasable'
  | 'not_amendable'
  | 'not_bookable'
  | 'not_cancellable'
  | 'not_reassignable'
  | 'cancel_refused'
  | 'cancellation_pending'
  | 'booking_in_progress'
  | 'invalid_code'
  | 'cross_site_request'
  | 'duplicate_courier'
  | 'not_assignable'
  | 'carrier_reports_itself'
  | 'job_not_open'
  | 'proof_not_available'
  | 'label_not_available'
  | 'declaration_not_available'
  | 'no_declaration'
  | 'deliveries_not_eligible'
  | 'manifest_refused'
  | 'manifest_outcome_unknown'
  | 'manifest_outcome_known'
  | 'manifest_not_discardable'
  | 'manifest_discarded'
  | 'link_expired'
  | 'link_revoked'
  | 'link_locked'
  | 'link_used'
  | 'link_url_unrecoverable'
  | 'link_not_verified'
  | 'reference_mismatch'
  | 'invalid_signature'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'version_conflict'
  | 'outcome_not_possible'
  | 'nothing_left_behind'
  | 'no_extra_booking'
  | 'invalid_credentials'
  | 'second_factor_required'
  | 'invalid_second_factor'
  | 'second_factor_active'
  | 'second_factor_setup_required'
  | 'invalid_passkey'
  | 'passkey_required'
  | 'duplicate_passkey'
  | 'too_many_passkeys'
  | 'passkeys_unavailable'
  | 'account_required'
  | 'user_link_expired'
  | 'openid_failed'
  | 'openid_expired'
  | 'duplicate_user'
  | 'user_active'
  | 'user_not_active'
  | 'own_access_change'
  | 'person_required'
