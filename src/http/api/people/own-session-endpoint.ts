/** The example header of a browser that is logged in. */
export const OWN_SESSION = ['Cookie: $SESSION', 'Sec-Fetch-Site: same-origin'] as const

/** What the endpoints of a user's own session have in common: they ask for the session themselves, and nothing caches them. */
export const OWN_SESSION_ENDPOINT = {
  access: 'public',
  tag: 'People',
  ofSession: true,
  headers: { 'cache-control': 'no-store' },
} as const
