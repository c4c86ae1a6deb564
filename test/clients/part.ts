/** A running service with the demo accounts, its document in a file, and a folder to work in. */
export type Try = { url: string; document: string; folder: string }
/** Returns what is wrong; empty if all is well. */
export type Part = (attempt: Try) => Promise<string>

/** A token of the demo's API client. */
export async function demoToken(url: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: 'demo-secret',
  })
  const response = await fetch(`${url}/demo/auth/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}
