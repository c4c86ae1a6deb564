/** A token, and until when it serves: instants of the wall clock in ms. */
export type CachedToken = { token: string; renewFromMs: number; endsMs: number }

/**
 * Where the processes of an installation leave each other the sign-in of one carrier of one account, for carriers grant
 * few of them. It may forget: then one is asked for. Neither way throws.
 */
export type TokenCache = {
  take(): Promise<CachedToken | null>
  leave(signIn: CachedToken): Promise<void>
}

/** For who signs in alone. */
export const NO_TOKEN_CACHE: TokenCache = { take: async () => null, leave: async () => {} }
