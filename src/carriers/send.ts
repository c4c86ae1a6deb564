/** One request to a carrier in HTTP's terms, whatever carries it there. */
export type CarrierRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  headers: Readonly<Record<string, string>>
  body: unknown
}

/**
 * `answered`: a whole HTTP answer. `not_sent`: nothing reached the carrier, so nothing happened there.
 * `no_answer`: it may have happened (time-out, reset, cut connection).
 */
export type CarrierResponse =
  | { kind: 'answered'; status: number; body: unknown }
  | { kind: 'not_sent'; said: string }
  | { kind: 'no_answer'; said: string }

/** Carries one request; never throws. */
export type Send = (request: CarrierRequest) => Promise<CarrierResponse>
