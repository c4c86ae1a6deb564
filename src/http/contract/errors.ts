import type { RefusalCode } from '../../domain/errors.ts'

/** These three have no refusal in the domain: our own bug, and what Node rejects before there is a request. */
export type ErrorCode = RefusalCode | 'internal_error' | 'headers_too_large' | 'request_timeout'

/**
 * What an error code means in HTTP and to a person. The documentation page and the responses are made from this table.
 */
export type ErrorEntry = { status: number; title: string; meaning: string; remedy: string }

/**
 * The `type` of a problem (RFC 9457): the same at every installation, so that clients can compare, store and group by
 * it. It does not resolve by itself; `/docs/errors#code` of any installation explains it.
 */
export function problemType(code: ErrorCode): string {
  return `urn:drover:error:${code}`
}

/** A new code in the domain does not compile until it has an entry here. */
export const ERRORS: Record<ErrorCode, ErrorEntry> = {
  malformed_json: {
    status: 400,
    title: 'Invalid JSON body',
    meaning:
      'The body could not be decoded. It is missing, it is not UTF-8, it is not JSON, or it is nested more than 20 levels deep.',
    remedy: 'Send one JSON object in UTF-8.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    meaning:
      'The `Idempotency-Key` header is empty, is longer than 255 characters, or contains a character that is not printable ASCII.',
    remedy: 'Send 1 to 255 printable ASCII characters, bare or quoted, for example a UUID.',
  },
  unauthorized: {
    status: 401,
    title: 'Not authenticated',
    meaning:
      'The bearer token is missing, unknown or expired, or its client has been revoked. For a person, the session has ended.',
    remedy:
      'Get a token from POST /{tenant_id}/auth/token and send it as "Authorization: Bearer …". People log in with POST /session.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient permissions',
    meaning:
      'The token or session is valid, but its scopes, its stores or the person’s role do not allow this request.',
    remedy:
      'Use a token that has the scope named in `detail`, or a token for every store. If you are logged in, ask an admin.',
  },
  spending_limit_reached: {
    status: 403,
    title: 'Spending limit reached',
    meaning:
      'The change would take an API client or an assistant over `assistants.spending_limit_cents_per_day`, or its price is not known before the booking. `limit_cents`, `spent_cents` and `resets_at` describe the limit. Nothing was changed.',
    remedy:
      'Wait until `resets_at`, cancel a delivery that the client booked today, or ask an admin of the account to raise the limit. If the price is not known, make the change in the portal.',
  },
  capability_disabled: {
    status: 403,
    title: 'Disabled for this account',
    meaning: 'The account document disables this capability.',
    remedy: 'Ask your implementation partner to enable it.',
  },
  not_granted: {
    status: 403,
    title: 'Only your implementation partner can change this',
    meaning:
      'The document changes something that only operators may change, or that the partner has not granted to the merchant’s own admins. `errors` names each field. Nothing was changed.',
    remedy:
      'Leave these fields as they are, or ask your implementation partner to add the grant to `owner_grants`.',
  },
  invalid_signature: {
    status: 403,
    title: 'Invalid link or signature',
    meaning: 'A signed URL was changed, or a carrier’s signature does not match.',
    remedy:
      'Use the URL exactly as the response contains it, or request the document with a bearer token and without `exp` and `sig`.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The resource does not exist, or this token may not see it.',
    remedy: 'Check the account, the id and the stores that the client may see.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but it does not support this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  duplicate_reference: {
    status: 409,
    title: 'Duplicate reference',
    meaning:
      'The store already has a delivery with this reference. `delivery_id` identifies it, and `delivery_status` is its status. If it is cancelled, `suggested_reference` is free.',
    remedy: 'Use the existing delivery, or send another reference.',
  },
  duplicate_link: {
    status: 409,
    title: 'The order already has a link',
    meaning: 'This store and reference already have a usable link. `link_id` identifies it.',
    remedy:
      'Send that link again with POST …/links/{link_id}/send, or revoke it with DELETE before you create another.',
  },
  option_changed: {
    status: 409,
    title: 'Quoted option no longer available',
    meaning:
      'The `quote_id` has expired, its cut-off has passed, or the carrier now charges more or refuses. `options` lists the options that are available now, each with its own `quote_id`. Nothing was created, unless `delivery_id` identifies a delivery that is `on_hold`.',
    remedy:
      'Show the options. Send the request again with the `quote_id` of the chosen option and a new Idempotency-Key. If the response has a `delivery_id`, book that delivery with PATCH …/book.',
  },
  ambiguous_reference: {
    status: 409,
    title: 'Ambiguous reference',
    meaning: 'A reference is unique only within a store, and more than one store uses this one.',
    remedy: 'Add ?store_reference=, or use the delivery id.',
  },
  delivery_already_consigned: {
    status: 409,
    title: 'Already booked with a carrier',
    meaning: 'The delivery has a consignment number, so it can no longer be amended.',
    remedy: 'Cancel it with PATCH …/request-cancel and create a new delivery.',
  },
  delivery_erased: {
    status: 410,
    title: 'Customer data erased',
    meaning:
      'The account’s `retention` period has ended, or the customer asked for erasure. Only the data for reports and invoices remains. `delivery_id`, `carrier_provider` and `consignment_number` identify the delivery.',
    remedy: 'Erased data cannot be restored. Your own system may still have the order.',
  },
  not_erasable: {
    status: 409,
    title: 'Cannot be erased yet',
    meaning: 'The delivery is under way, and its driver needs the customer’s data.',
    remedy: 'Cancel the delivery or wait until it ends, then erase it.',
  },
  not_amendable: {
    status: 409,
    title: 'Cannot be amended',
    meaning:
      'A delivery can be amended only while it is `requested` or `on_hold` and no carrier may have it.',
    remedy: 'Read the delivery: `status` and `status_reason` show its state.',
  },
  not_bookable: {
    status: 409,
    title: 'Cannot be booked',
    meaning: 'A delivery can be booked only while it is `requested` or `on_hold`.',
    remedy: 'Read the delivery: `status` shows its state.',
  },
  not_cancellable: {
    status: 409,
    title: 'Can no longer be cancelled',
    meaning: 'The delivery is on its way or has ended.',
    remedy: 'Ask the carrier to return it, or wait until it ends.',
  },
  not_reassignable: {
    status: 409,
    title: 'Cannot be reassigned',
    meaning: 'A delivery can be reassigned only while it is booked, not collected and on no manifest.',
    remedy: 'Read the delivery: `status` shows its state. Before it is booked, amend it instead.',
  },
  cancel_refused: {
    status: 409,
    title: 'The carrier refused to cancel',
    meaning: 'Drover asked the carrier to cancel. The carrier refused and will still deliver.',
    remedy: '`detail` has the carrier’s message and what to do.',
  },
  cancellation_pending: {
    status: 409,
    title: 'Cancellation not confirmed yet',
    meaning:
      'The carrier has not answered the cancellation. Drover keeps asking. Until the carrier confirms, the delivery is neither cancelled nor booked with another carrier.',
    remedy: 'Read the delivery again, or send the same request later.',
  },
  booking_in_progress: {
    status: 409,
    title: 'Booking in progress',
    meaning: 'Drover is booking the delivery with a carrier, so it cannot be changed now.',
    remedy: 'Send the request again in a few seconds.',
  },
  invalid_code: {
    status: 401,
    title: 'Invalid login code',
    meaning:
      'The code is wrong, was already used, is older than 5 minutes or has had 5 attempts, or the phone number does not belong to a courier.',
    remedy: 'Request a new code with POST /driver/login.',
  },
  cross_site_request: {
    status: 403,
    title: 'Cross-site request',
    meaning:
      'A browser sent a login, a request with a session cookie, or an MCP request, from a page that is not Drover’s own.',
    remedy: 'Call the endpoint from Drover’s own pages, or use a bearer token.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Unknown email address or wrong password',
    meaning: 'No active user has this email address and password.',
    remedy: 'Try again, or request a new password with POST /session/forgotten.',
  },
  second_factor_required: {
    status: 401,
    title: 'A second-factor code is required',
    meaning: 'The email address and password are correct, and the user has a second factor.',
    remedy: 'Send the request again with `code`: six digits from the authenticator app, or a recovery code.',
  },
  invalid_second_factor: {
    status: 401,
    title: 'Wrong second-factor code',
    meaning:
      'The code from the authenticator app or the recovery code is wrong, has expired or was already used.',
    remedy: 'Wait for the next code, use a recovery code, or ask an admin to reset the second factor.',
  },
  second_factor_active: {
    status: 409,
    title: 'The user already has a second factor',
    meaning: 'The user has already confirmed an authenticator app.',
    remedy: 'Turn it off with POST /session/second-factor/disable, then set up another.',
  },
  second_factor_setup_required: {
    status: 403,
    title: 'Set up a second factor first',
    meaning:
      'Operators need a second factor in live mode. Users need one if their account requires it (`people.second_factor`).',
    remedy:
      'Add a passkey with POST /session/passkeys/options and POST /session/passkeys, or an authenticator app with POST /session/second-factor and POST /session/second-factor/confirm.',
  },
  invalid_passkey: {
    status: 401,
    title: 'The passkey does not work here',
    meaning:
      'The passkey is unknown or was removed, it answered another challenge, or it took longer than five minutes.',
    remedy: 'Try again, or log in with the password.',
  },
  passkey_required: {
    status: 401,
    title: 'Log in with a passkey',
    meaning:
      'The password is correct, but the account requires a second factor, and the user has a passkey and no authenticator app.',
    remedy: 'Log in with the passkey, or ask an admin to reset the second factor.',
  },
  duplicate_passkey: {
    status: 409,
    title: 'The passkey was already added',
    meaning: 'The account has this passkey already.',
    remedy: 'Log in with it, or add one from another device.',
  },
  too_many_passkeys: {
    status: 409,
    title: 'Too many passkeys',
    meaning: 'A user can have ten passkeys.',
    remedy: 'Remove one that is no longer used, then add the new one.',
  },
  passkeys_unavailable: {
    status: 409,
    title: 'Passkeys do not work at this address',
    meaning: 'Browsers allow passkeys only on a host name with HTTPS, or on localhost.',
    remedy: 'Ask the operator to set `PUBLIC_URL` to such an address.',
  },
  account_required: {
    status: 409,
    title: 'Choose an account',
    meaning: 'The email address and password are correct for more than one account. `accounts` lists them.',
    remedy: 'Log in again with the `tenant_id` of one of them.',
  },
  user_link_expired: {
    status: 410,
    title: 'Link used, replaced or expired',
    meaning:
      'An invitation or password reset link works once. It stops working when it expires or when a newer one is sent.',
    remedy: 'Ask for a new link.',
  },
  openid_failed: {
    status: 409,
    title: 'The identity provider does not answer',
    meaning:
      'The account’s OpenID Connect provider could not be reached, or its discovery document is not usable.',
    remedy:
      'Try again in a minute, or log in with the password. An admin can check `sign_in` in the account document.',
  },
  openid_expired: {
    status: 410,
    title: 'Your login through the identity provider has expired',
    meaning: 'The login was begun in another browser, took more than ten minutes, or is already finished.',
    remedy: 'Begin again with POST /session/openid.',
  },
  duplicate_user: {
    status: 409,
    title: 'Duplicate user',
    meaning:
      'An account has one user for each email address, regardless of upper and lower case. `user_id` identifies the existing user.',
    remedy: 'Change the existing user.',
  },
  user_active: {
    status: 409,
    title: 'The user needs no invitation',
    meaning: 'An invitation can be sent again only to a user who has not accepted one yet.',
    remedy: 'Send a password reset instead.',
  },
  user_not_active: {
    status: 409,
    title: 'The user has no password to reset',
    meaning: 'The user has not accepted the invitation yet, or is disabled.',
    remedy: 'Send the invitation again, or enable the user.',
  },
  own_access_change: {
    status: 409,
    title: 'Users cannot change their own access',
    meaning:
      'A user cannot change their own role or stores, or disable themselves. Otherwise the last admin could lock themselves out.',
    remedy: 'Ask another admin, or the operator.',
  },
  person_required: {
    status: 403,
    title: 'Only a person may change access',
    meaning:
      'Only people, and API clients without an owner or with an operator as owner, can invite, change or reset users. An API client that an admin owns can only list them.',
    remedy: 'Log in as an admin, or ask the operator for an API client.',
  },
  duplicate_courier: {
    status: 409,
    title: 'Duplicate courier',
    meaning: 'A phone number can appear only once in a store’s list of staff couriers.',
    remedy: 'Change the existing courier.',
  },
  carrier_reports_itself: {
    status: 409,
    title: 'The carrier reports its own statuses',
    meaning:
      'A status can be reported manually only for a carrier without an API, and only after that carrier has the delivery.',
    remedy: 'Read the delivery: it shows what its carrier has reported.',
  },
  not_assignable: {
    status: 409,
    title: 'Cannot be assigned to a courier',
    meaning: 'Another carrier has the delivery, a driver already has the parcels, or the delivery has ended.',
    remedy: 'Read the delivery: `status` shows its state.',
  },
  job_not_open: {
    status: 409,
    title: 'The job has changed',
    meaning:
      'The job was already answered, was cancelled or was assigned to another courier, or this step is not the next one.',
    remedy: 'Read the jobs again.',
  },
  proof_not_available: {
    status: 409,
    title: 'No proof of delivery yet',
    meaning:
      'A proof exists after a staff courier has delivered, or after a courier network has sent its courier’s proof.',
    remedy:
      'Wait for `delivered`: `proof_url` appears with it. A courier network’s proof follows some minutes later.',
  },
  label_not_available: {
    status: 409,
    title: 'No label yet',
    meaning: 'The label exists after a carrier has confirmed the booking.',
    remedy: 'Wait for `booked_at`: `label_url` appears with it.',
  },
  declaration_not_available: {
    status: 409,
    title: 'No declaration yet',
    meaning: 'The dangerous goods declaration exists after a carrier has confirmed the booking.',
    remedy: 'Wait for `booked_at`: `dangerous_goods_form_url` appears with it.',
  },
  no_declaration: {
    status: 404,
    title: 'No dangerous goods declaration',
    meaning: 'The delivery contains no dangerous goods, or its carrier does not use declarations.',
    remedy: 'Request a declaration only for a delivery that has a `dangerous_goods_form_url`.',
  },
  deliveries_not_eligible: {
    status: 409,
    title: 'Deliveries are no longer eligible',
    meaning:
      'A draft does not reserve its deliveries. Some of them are now on another manifest, can no longer be manifested, or no longer match the carrier’s rule that dangerous goods need a separate manifest. `delivery_references` lists them. Nothing was submitted.',
    remedy: 'Create a new manifest of the remaining deliveries.',
  },
  manifest_refused: {
    status: 409,
    title: 'The carrier rejected the manifest',
    meaning:
      'The carrier rejected the manifest, so nothing was lodged. Its deliveries can go on another manifest.',
    remedy: '`detail` has the carrier’s message. Correct the cause and submit the manifest again.',
  },
  manifest_outcome_unknown: {
    status: 409,
    title: 'Unknown whether the carrier has the manifest',
    meaning:
      'The carrier did not answer, and Drover cannot look the manifest up. A second submission could lodge it twice.',
    remedy: 'Ask the carrier, then report the result with PATCH …/settle-submit.',
  },
  manifest_outcome_known: {
    status: 409,
    title: 'The manifest’s outcome is known',
    meaning:
      'Only a manifest whose `submit_attempt` is `unanswered` can be resolved manually. While Drover asks the carrier, it is `in_progress`.',
    remedy: 'Read the manifest: `status` and `submit_attempt` show its state.',
  },
  manifest_not_discardable: {
    status: 409,
    title: 'The manifest cannot be discarded',
    meaning: 'The carrier has the manifest or may have it, or Drover is sending it at the moment.',
    remedy:
      'If `submit_attempt` is `unanswered`, ask the carrier and report the result with PATCH …/settle-submit.',
  },
  manifest_discarded: {
    status: 409,
    title: 'The manifest was discarded',
    meaning: 'A discarded manifest is never submitted. Its deliveries can go on another manifest.',
    remedy: 'Create a new manifest with the deliveries.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'First request still in progress',
    meaning: 'A request with the same Idempotency-Key has not finished yet.',
    remedy: 'Send the request again after `Retry-After` seconds.',
  },
  outcome_not_possible: {
    status: 409,
    title: 'This outcome cannot be recorded',
    meaning: 'The delivery is not in a status in which this outcome can be recorded by hand.',
    remedy: 'Do what `detail` says, or read the delivery again.',
  },
  nothing_left_behind: {
    status: 409,
    title: 'Nothing was left behind',
    meaning: 'The staff courier took every parcel at pickup, or no parcel is on the way.',
    remedy: 'Read the delivery: `left_behind` lists what stayed at the store.',
  },
  no_extra_booking: {
    status: 409,
    title: 'No such extra booking',
    meaning: 'No carrier has an extra booking with this consignment number for the delivery.',
    remedy: 'List the extra bookings with `GET …/extra-bookings`, and send one of their consignment numbers.',
  },
  version_conflict: {
    status: 409,
    title: 'Version conflict',
    meaning: 'The resource changed after you read it.',
    remedy: 'Read the resource again and repeat the change.',
  },
  link_expired: {
    status: 410,
    title: 'The link has expired',
    meaning: 'The link’s `expires_at`, or the `exp` of a document’s signed URL, has passed.',
    remedy:
      'For a booking link, ask the store for a new one. For a document, request the same URL with a bearer token and without `exp` and `sig`. The delivery keeps the same `label_url`, so reading it again does not help.',
  },
  link_revoked: {
    status: 410,
    title: 'The link was revoked',
    meaning: 'The store has revoked the link.',
    remedy: 'Ask the store for a new link.',
  },
  link_locked: {
    status: 403,
    title: 'The link is locked',
    meaning: 'After five wrong order numbers the link can no longer be used.',
    remedy: 'Ask the store for a new link.',
  },
  link_used: {
    status: 409,
    title: 'The link has been used',
    meaning: 'The link’s delivery is already booked, so no options remain.',
    remedy: 'POST /l/{token}/verify and …/book return the booking.',
  },
  link_url_unrecoverable: {
    status: 409,
    title: 'The link’s address cannot be shown again',
    meaning:
      '`DROVER_SECRET_KEY` has changed since the link was created. The link that was sent to the customer still works.',
    remedy: 'If the customer has lost the link, revoke it and create a new one.',
  },
  link_not_verified: {
    status: 403,
    title: 'Order number required',
    meaning: 'The `Link-Session` header is missing, or its 30 minutes have passed.',
    remedy: 'Send the order number with POST /l/{token}/verify, then send the session from its response.',
  },
  reference_mismatch: {
    status: 403,
    title: 'Wrong order number',
    meaning: 'The order number does not match this link. `attempts_left` is the number of attempts left.',
    remedy: 'Use the order number from the order confirmation.',
  },
  payload_too_large: {
    status: 413,
    title: 'Request body too large',
    meaning:
      'Each endpoint has its own limit: 16 KiB, up to 1 MiB if it accepts a list, 7 MiB with a driver’s photo. `detail` states the limit.',
    remedy: 'Split the request.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning:
      'The headers or the body did not arrive in time. Nothing was done, and Drover closed the connection.',
    remedy: 'Send the request again with the same Idempotency-Key.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body must be application/json in UTF-8, without Content-Encoding.',
    remedy: 'Set "Content-Type: application/json" and send the body uncompressed.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    meaning: 'The URL and the headers of a request may together have at most 16 KiB.',
    remedy: 'Send fewer headers or cookies, or a shorter query.',
  },
  invalid_request: {
    status: 422,
    title: 'Invalid request',
    meaning:
      'The request is well formed, but fields are missing, unknown or out of range. `errors` lists every problem.',
    remedy: 'Correct every entry of `errors`. The same Idempotency-Key may be used again.',
  },
  no_service_available: {
    status: 422,
    title: 'No service available',
    meaning: 'Every service of the account was considered and excluded. `exclusions` has the rule for each.',
    remedy: 'Change what the rules name: size, time, place or goods.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key already used',
    meaning:
      'In the last 72 hours the same key was used with another body, method or path, or by a caller with access to other stores.',
    remedy: 'Use a new key for each new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The caller has reached its rate limit. The `RateLimit` headers show how many requests are left.',
    remedy: 'Wait for `Retry-After` seconds.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning:
      'Drover failed to process the request. The cause is not shown here; it is logged under the request id.',
    remedy:
      'Send the request again with the same Idempotency-Key. If the error persists, report the `request_id`.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service temporarily unavailable',
    meaning:
      'The database or the disk is unavailable, the process has more requests than it can answer in time, or it is shutting down. No partial work remains.',
    remedy: 'Send the request again with the same Idempotency-Key after `Retry-After` seconds.',
  },
}
