/** An OAuth token, when to refresh it and when it expires, in wall-clock ms. */
export type CachedToken = { token: string; renewFromMs: number; endsMs: number }

/**
 * Shared OAuth token cache of one carrier of one account: the processes of an installation share one token,
 * since carriers issue only a few. It may forget a token; then a process requests a new one. Neither method
 * throws.
 */
export type TokenCache = {
  get(): Promise<CachedToken | null>
  put(signIn: CachedToken): Promise<void>
}

/** For a process that doesn't share tokens. */
export const NO_TOKEN_CACHE: TokenCache = { get: async () => null, put: async () => {} }
