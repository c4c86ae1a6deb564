/** Errors of looking up, connecting and TLS: no byte of the request was sent. A reset may happen later. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])
/** Also errors of an open connection whose route is lost, perhaps after the request was sent. */
const UNREACHABLE: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH'])

/** Whether an HTTP client's error proves that the other side received nothing. */
export function neverConnected(error: unknown): boolean {
  const { code = '', syscall } = (error ?? {}) as { code?: string; syscall?: string }
  if (BEFORE_SENDING.has(code)) return true
  // Node reports a name whose addresses all failed to connect as an AggregateError.
  return UNREACHABLE.has(code) && (syscall === 'connect' || error instanceof AggregateError)
}
