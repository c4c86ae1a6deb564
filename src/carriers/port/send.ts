/** One request to a carrier in HTTP's terms, whatever carries it there. */
export type CarrierRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the carrier's base address; or a whole address that the carrier gave us, such as a label's. */
  path: string
  headers: Readonly<Record<string, string>>
  /** Sent as JSON; URLSearchParams as a form; undefined: none. */
  body: unknown
  /** Which of the carrier's addresses, where it has several; `api` unless given. */
  at?: string
  /** `bytes`: the answer's body is a Buffer, as for documents. Else it is read as JSON, or kept as text. */
  accept?: 'bytes'
}

/**
 * `answered`: a whole HTTP answer. `not_sent`: nothing reached the carrier, so nothing happened there.
 * `no_answer`: it may have happened (time-out, reset, cut connection).
 */
export type CarrierResponse =
  | { kind: 'answered'; status: number; body: unknown }
  | { kind: 'not_sent'; said: string }
  | { kind: 'no_answer'; said: string }

/** Whether it is for a whole address that the carrier gave us: that server may be another's. */
export function isElsewhere({ path }: CarrierRequest): boolean {
  return /^https?:\/\//.test(path)
}

/** Carries one request; never throws. */
export type Send = (request: CarrierRequest) => Promise<CarrierResponse>
