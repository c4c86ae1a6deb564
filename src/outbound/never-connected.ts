/** DNS, TCP connect and TLS handshake errors: no request was sent. Not ECONNRESET, which may happen after it. */
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
/** May also happen on an open connection that loses its route, perhaps after the request was sent. */
const UNREACHABLE: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH'])

/** Whether an HTTP client's error proves that the other side received nothing. */
export function neverConnected(error: unknown): boolean {
  const { code = '', syscall } = (error ?? {}) as { code?: string; syscall?: string }
  if (BEFORE_SENDING.has(code)) return true
  // Node reports a name whose addresses all failed to connect as an AggregateError.
  return UNREACHABLE.has(code) && (syscall === 'connect' || error instanceof AggregateError)
}
