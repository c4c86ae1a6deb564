/** One HTTP request to a carrier, independent of the transport. */
export type CarrierRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path below the carrier's base URL, or a whole URL that the carrier gave us, such as a label's. */
  path: string
  headers: Readonly<Record<string, string>>
  /** Sent as JSON; URLSearchParams as a form; undefined: no body. */
  body: unknown
  /** Which of the carrier's base URLs, if it has several; `api` by default. */
  at?: string
  /**
   * `bytes`: the response body is a Buffer, as for documents. Otherwise it is parsed as JSON, or kept as
   * text.
   */
  accept?: 'bytes'
}

/**
 * `answered`: a whole HTTP response. `not_sent`: nothing reached the carrier, so it did nothing. `no_answer`:
 * the carrier may have executed the request (time-out, reset, cut connection).
 */
export type CarrierResponse =
  | { kind: 'answered'; status: number; body: unknown }
  | { kind: 'not_sent'; message: string }
  | { kind: 'no_answer'; message: string }

/** Whether the request goes to a whole URL that the carrier gave us: its server may be a third party's. */
export function isThirdParty({ path }: CarrierRequest): boolean {
  return /^https?:\/\//.test(path)
}

/** Sends one request; never throws. */
export type Send = (request: CarrierRequest) => Promise<CarrierResponse>
