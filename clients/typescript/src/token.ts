/** Before the token's end, so that no request starts with a token that ends on its way. */
const RENEW_BEFORE_MS = 60_000

export type AccessToken = { value: string; lifetimeMs: number }

/** A single-flight cache of the access token: one request for all waiters. */
export class TokenCache {
  readonly #request: () => Promise<AccessToken>
  #current: { value: string; renewAtMs: number } | null = null
  #pending: Promise<string> | null = null

  constructor(request: () => Promise<AccessToken>) {
    this.#request = request
  }

  /** A valid token; other than `rejected`, which the API did not accept. */
  get(rejected: string | null = null): Promise<string> {
    const current = this.#current
    if (current && current.value !== rejected && Date.now() < current.renewAtMs) {
      return Promise.resolve(current.value)
    }
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  async #renew(): Promise<string> {
    const startedMs = Date.now()
    const { value, lifetimeMs } = await this.#request()
    const marginMs = Math.min(RENEW_BEFORE_MS, lifetimeMs / 2)
    this.#current = { value, renewAtMs: startedMs + lifetimeMs - marginMs }
    return value
  }
}
