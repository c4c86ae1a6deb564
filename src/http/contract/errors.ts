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
    title: 'The body is not JSON',
    meaning: 'The body could not be decoded: not UTF-8, not JSON, nested deeper than 20, or missing.',
    remedy: 'Send one JSON object in UTF-8.',
  },
  malformed_key: {
    status: 400,
    title: 'The Idempotency-Key is no key',
    meaning:
      'The header Idempotency-Key is empty, longer than 255 characters, or has other than printable ASCII.',
    remedy: 'Send 1 to 255 printable ASCII characters, bare or quoted, for example a UUID.',
  },
  unauthorized: {
    status: 401,
    title: 'Not authenticated',
    meaning:
      'The bearer token is missing, unknown, expired or its client is revoked; or a person’s session is over.',
    remedy:
      'Get a token from POST /{tenant_id}/auth/token and send it as "Authorization: Bearer …"; people log in with POST /session.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Not within what the caller may do',
    meaning:
      'The token or the session is good, but its scopes or its stores, or the person’s role, do not go so far.',
    remedy:
      'Ask for a token with the scope that `detail` names, or of every store, or somebody whose role has it.',
  },
  capability_disabled: {
    status: 403,
    title: 'Switched off for this account',
    meaning: 'The account document has this capability switched off.',
    remedy: 'Ask your implementation partner to switch it on.',
  },
  invalid_signature: {
    status: 403,
    title: 'The link is not valid',
    meaning: 'A signed address was changed, has expired, or a carrier’s signature does not match.',
    remedy: 'Read the delivery again: every answer carries a fresh link.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such thing for this token, whether or not it exists for another.',
    remedy: 'Check the account, the id and the stores that the client may see.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address exists and takes other methods.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  duplicate_reference: {
    status: 409,
    title: 'The reference is taken',
    meaning: 'The store already has a delivery with this reference; `delivery_id` names it.',
    remedy: 'Use the existing delivery, or another reference.',
  },
  duplicate_link: {
    status: 409,
    title: 'The order already has a link',
    meaning: 'A link for this store and reference can still be used; `link_id` names it.',
    remedy: 'Send it again with POST …/links/{link_id}/send, or revoke it with DELETE before making another.',
  },
  option_changed: {
    status: 409,
    title: 'The quote can no longer be kept',
    meaning:
      'The `quote_id` has expired, its cut-off has passed, or the carrier now charges more or refuses. `options` has the options that are available now, each with its own `quote_id`. Nothing was created, unless `delivery_id` names a delivery that waits `on_hold`.',
    remedy:
      'Show the options. Send the request again with the `quote_id` of the chosen option and a new Idempotency-Key. If the answer has a `delivery_id`, book that delivery with PATCH …/book.',
  },
  ambiguous_reference: {
    status: 409,
    title: 'Two stores use this reference',
    meaning: 'A reference is unique per store only, and more than one store has this one.',
    remedy: 'Add ?store_reference= or use the delivery id.',
  },
  delivery_already_consigned: {
    status: 409,
    title: 'A carrier has it already',
    meaning: 'A consignment number is assigned, so the delivery can no longer be amended.',
    remedy: 'Cancel it with PATCH …/request-cancel and create it anew.',
  },
  delivery_erased: {
    status: 410,
    title: 'The customer has been erased',
    meaning:
      'The account’s `retention` was over, or the customer asked for it: what is left of the delivery is for figures and invoices. `delivery_id`, `carrier_provider` and `consignment_number` name it.',
    remedy: 'Nothing brings it back; your own system may still have the order.',
  },
  not_erasable: {
    status: 409,
    title: 'Cannot be erased yet',
    meaning: 'The delivery is under way: its driver needs what would be erased.',
    remedy: 'Cancel it, or let it end, then erase it.',
  },
  not_amendable: {
    status: 409,
    title: 'Cannot be amended',
    meaning: 'Only a requested or held delivery that stands at no carrier can be amended.',
    remedy: 'Read the delivery: its status and `status_reason` say where it is.',
  },
  not_bookable: {
    status: 409,
    title: 'Cannot be booked',
    meaning: 'Only a requested or held delivery can be booked.',
    remedy: 'Read the delivery: its status says where it is.',
  },
  not_cancellable: {
    status: 409,
    title: 'Cannot be cancelled any more',
    meaning: 'The delivery is on its way or over.',
    remedy: 'Ask the carrier to return it, or wait for the end.',
  },
  not_reassignable: {
    status: 409,
    title: 'Cannot be given to another carrier',
    meaning: 'Only what a carrier has booked, has not collected and has on no manifest can be.',
    remedy: 'Read the delivery: its status says where it is. Before it is booked, amend it.',
  },
  cancel_refused: {
    status: 409,
    title: 'The carrier does not let it go',
    meaning: 'We asked, and the carrier will carry it all the same.',
    remedy: '`detail` says what the carrier said and what to do.',
  },
  cancel_unconfirmed: {
    status: 409,
    title: 'The carrier has not let it go yet',
    meaning:
      'The carrier has not answered. We go on asking; the delivery is not cancelled, and not booked elsewhere, until it says yes.',
    remedy: 'Read the delivery again, or send the same request later.',
  },
  booking_in_progress: {
    status: 409,
    title: 'A booking is under way',
    meaning: 'A carrier is being asked right now, so the delivery cannot be changed at this moment.',
    remedy: 'Try again in a few seconds.',
  },
  invalid_code: {
    status: 401,
    title: 'The code is not right',
    meaning:
      'The code is wrong, was used, is older than 5 minutes or had 5 tries; or the phone is no courier’s.',
    remedy: 'Ask for a new code with POST /driver/login.',
  },
  cross_site_request: {
    status: 403,
    title: 'From another site',
    meaning: 'A browser sent this with somebody’s cookie, but not from our own pages.',
    remedy: 'Call it from our own pages, or with a bearer token.',
  },
  wrong_login: {
    status: 401,
    title: 'Not the right e-mail and password',
    meaning: 'Nobody who may enter has this e-mail address and this password.',
    remedy: 'Try again, or ask for a new password with POST /session/forgotten.',
  },
  second_factor_required: {
    status: 401,
    title: 'A second-factor code is required',
    meaning: 'E-mail and password are right, and the user has a second factor.',
    remedy: 'Send the request again with `code`: six digits from the authenticator app, or a recovery code.',
  },
  wrong_second_factor: {
    status: 401,
    title: 'The code is not right',
    meaning: 'The code from the authenticator app, or the recovery code, is wrong, too old or already used.',
    remedy: 'Wait for the next code, use a recovery code, or ask an admin to reset the second factor.',
  },
  second_factor_active: {
    status: 409,
    title: 'The user already has a second factor',
    meaning: 'The user has confirmed an authenticator app.',
    remedy: 'Turn it off with POST /session/second-factor/disable, then set up another.',
  },
  second_factor_setup_required: {
    status: 403,
    title: 'Set up a second factor first',
    meaning:
      'Operators need one in live mode. So do users of accounts that require one (`people.second_factor`).',
    remedy: 'Call POST /session/second-factor, then POST /session/second-factor/confirm.',
  },
  choose_account: {
    status: 409,
    title: 'Which account?',
    meaning: 'The e-mail address and the password are right in more than one account; `accounts` names them.',
    remedy: 'Log in again with the `tenant_id` of one of them.',
  },
  user_link_over: {
    status: 410,
    title: 'The address is good no longer',
    meaning: 'An invitation or a reset opens once, for its time, until a newer one is sent.',
    remedy: 'Ask for a new one.',
  },
  duplicate_user: {
    status: 409,
    title: 'The account has this user already',
    meaning:
      'An e-mail address is one user of an account, in whatever case it is written; `user_id` names it.',
    remedy: 'Change the user that is there.',
  },
  user_active: {
    status: 409,
    title: 'Needs no invitation',
    meaning: 'Only somebody who has not accepted yet is invited again.',
    remedy: 'Send a password reset instead.',
  },
  user_not_active: {
    status: 409,
    title: 'Has no password to replace',
    meaning: 'The user has not accepted the invitation yet, or is disabled.',
    remedy: 'Invite the user again, or enable them.',
  },
  own_access: {
    status: 409,
    title: 'Not your own access',
    meaning: 'Nobody changes their own role or stores or disables themselves: the last admin would be out.',
    remedy: 'Ask another admin, or the operator.',
  },
  duplicate_courier: {
    status: 409,
    title: 'The store has this courier already',
    meaning: 'A phone stands once on a store’s list of staff couriers.',
    remedy: 'Change the one that is there.',
  },
  carrier_reports_itself: {
    status: 409,
    title: 'The carrier tells this itself',
    meaning: 'Statuses are said by hand only of deliveries whose courier has no interface, once he has them.',
    remedy: 'Read the delivery: what its carrier has told stands in it.',
  },
  not_assignable: {
    status: 409,
    title: 'Cannot be given to a courier',
    meaning: 'A carrier has it, or the parcels are with a driver already, or it is over.',
    remedy: 'Read the delivery: its status says where it is.',
  },
  job_not_open: {
    status: 409,
    title: 'The job has moved on',
    meaning: 'The job was answered, called off or given to somebody else, or this step is not next.',
    remedy: 'Read the jobs again.',
  },
  proof_not_available: {
    status: 409,
    title: 'No proof yet',
    meaning:
      'A proof exists once one of your own couriers has delivered, or a network has sent what its courier brought.',
    remedy: 'Wait for `delivered`; `proof_url` appears with it, a network’s some minutes later.',
  },
  label_not_available: {
    status: 409,
    title: 'No label yet',
    meaning: 'A label exists once a carrier has confirmed the booking.',
    remedy: 'Wait for `booked_at`; `label_url` appears with it.',
  },
  declaration_not_available: {
    status: 409,
    title: 'No declaration yet',
    meaning: 'A dangerous goods declaration exists once a carrier has confirmed the booking.',
    remedy: 'Wait for `booked_at`; `dangerous_goods_form_url` appears with it.',
  },
  no_declaration: {
    status: 404,
    title: 'There is no declaration',
    meaning: 'The delivery holds no dangerous goods, or its carrier makes no declarations.',
    remedy: 'Only deliveries that show a `dangerous_goods_form_url` have one.',
  },
  deliveries_not_eligible: {
    status: 409,
    title: 'Deliveries have gone elsewhere',
    meaning:
      'A draft reserves nothing: some of its deliveries are on another manifest by now, have become dangerous goods or no longer are where the carrier wants those apart, or cannot be manifested any more. `delivery_references` names them; nothing was submitted.',
    remedy: 'Make a new manifest of those that are left.',
  },
  manifest_refused: {
    status: 409,
    title: 'The carrier refused the manifest',
    meaning: 'The carrier said no, so nothing was lodged and its deliveries are free again.',
    remedy: '`detail` says what the carrier said; mend that and submit it again.',
  },
  manifest_unconfirmed: {
    status: 409,
    title: 'Nobody can tell whether the carrier has the manifest',
    meaning: 'The carrier did not answer and cannot be asked, so submitting again could lodge it twice.',
    remedy: 'Ask the carrier, then tell us by PATCH …/settle-submit.',
  },
  manifest_not_in_doubt: {
    status: 409,
    title: 'Nothing is in doubt',
    meaning: 'Only a manifest that waits for a person (`on_hold`) can be settled by one.',
    remedy: 'Read the manifest: its status says where it is.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request is still running',
    meaning: 'A request with the same Idempotency-Key has not been answered yet.',
    remedy: 'Send it again after `Retry-After` seconds.',
  },
  version_conflict: {
    status: 409,
    title: 'Changed by someone else',
    meaning: 'The thing was changed between your reading and your writing.',
    remedy: 'Read it again and repeat the change.',
  },
  link_expired: {
    status: 410,
    title: 'The link has expired',
    meaning: 'The time the store gave it is over.',
    remedy: 'Ask the store for a new one.',
  },
  link_revoked: {
    status: 410,
    title: 'The link was withdrawn',
    meaning: 'The store has revoked it.',
    remedy: 'Ask the store for a new one.',
  },
  link_locked: {
    status: 403,
    title: 'The link is locked',
    meaning: 'Five wrong order numbers were tried, so nobody can use it any more.',
    remedy: 'Ask the store for a new one.',
  },
  link_used: {
    status: 409,
    title: 'The link has been used',
    meaning: 'Its delivery is booked; there is nothing more to choose.',
    remedy: 'POST /l/{token}/verify and …/book show what was booked.',
  },
  link_address_lost: {
    status: 409,
    title: 'The link’s address cannot be written again',
    meaning: '`DROVER_SECRET_KEY` was changed since the link was made. What its customer was sent works on.',
    remedy: 'Where the customer has lost it: revoke the link and make a new one.',
  },
  link_not_verified: {
    status: 403,
    title: 'The order number is needed first',
    meaning: 'There is no `Link-Session` header, or its half hour is over.',
    remedy: 'POST /l/{token}/verify with the order number, and send the session it answers.',
  },
  wrong_reference: {
    status: 403,
    title: 'Not the number of this order',
    meaning: 'The order number does not belong to this link; `tries_left` says how many tries are left.',
    remedy: 'Take it from the order’s confirmation.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning:
      'Each endpoint has its own limit: 16 KiB, up to 1 MiB if it accepts a list, 7 MiB with a driver’s photo. `detail` names the limit.',
    remedy: 'Split the request.',
  },
  request_timeout: {
    status: 408,
    title: 'The request came too slowly',
    meaning:
      'The headers or the body did not arrive in time. Nothing was done, and Drover closed the connection.',
    remedy: 'Send the request again with the same Idempotency-Key.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'Bodies are application/json in UTF-8, without Content-Encoding.',
    remedy: 'Set "Content-Type: application/json" and send the body uncompressed.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    meaning: 'The address and the headers of the request have together at most 16 KiB.',
    remedy: 'Send fewer headers or cookies, or a shorter query.',
  },
  invalid_request: {
    status: 422,
    title: 'The request has mistakes',
    meaning:
      'The request is well-formed, but fields are missing, unknown or out of range. `errors` has all of them.',
    remedy: 'Mend every entry of `errors`; the same Idempotency-Key may be used again.',
  },
  no_service_available: {
    status: 422,
    title: 'Nothing can carry it',
    meaning: 'Every service of the account was tried and excluded; `exclusions` has the rule of each.',
    remedy: 'Change what the rules name: size, time, place or goods.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    meaning:
      'In the last 72 hours the same key was used with another body, method or path, or by a caller who sees other stores.',
    remedy: 'Make a new key for each new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'The limit of the client is used up; the RateLimit headers show it before it happens.',
    remedy: 'Wait for `Retry-After` seconds.',
  },
  internal_error: {
    status: 500,
    title: 'Our mistake',
    meaning:
      'Something failed on our side. Nothing of the cause is shown here; it is logged under the request id.',
    remedy:
      'Send the request again with the same Idempotency-Key, and tell us the `request_id` if it persists.',
  },
  service_unavailable: {
    status: 503,
    title: 'Not available at the moment',
    meaning:
      'The database or the disk is unavailable, the process has more requests than it can answer in time, or it is stopping. Nothing is half done.',
    remedy: 'Send the request again with the same Idempotency-Key after `Retry-After` seconds.',
  },
}
