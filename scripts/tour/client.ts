/** The few things the tour asks over HTTP, as a shop's developer would write them. */
export type Client = {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<T>
  patch<T>(path: string, body?: unknown): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  bytes(url: string): Promise<Buffer>
}

/** Throws a sentence with the answer's own words for everything that is not 2xx. */
export function client(base: string, bearer: string): Client {
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const url = path.startsWith('http') ? path : `${base}${path}`
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const json = async <T>(...args: Parameters<typeof ask>): Promise<T> =>
    (await ask(...args)).json() as Promise<T>
  return {
    get: (path) => json('GET', path),
    post: (path, body, headers) => json('POST', path, body, headers),
    patch: (path, body) => json('PATCH', path, body),
    put: (path, body) => json('PUT', path, body),
    // Signed addresses need no bearer: they are fetched as anybody would.
    bytes: async (url) => {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`GET ${url} answered ${response.status}: ${await response.text()}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}

/** A token for one of the demo's API clients. */
export async function tokenFor(base: string, account: string, id: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const response = await fetch(`${base}/${account}/auth/token`, { method: 'POST', body })
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}
