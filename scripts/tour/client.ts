/** The tour's HTTP client, as a shop's developer would write it. */
export type Client = {
  get<T>(path: string, headers?: Record<string, string>): Promise<T>
  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<T>
  patch<T>(path: string, body?: unknown): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  bytes(url: string): Promise<Buffer>
  /** Returns the error message; throws if the request succeeds. */
  refusal(method: string, path: string, body: unknown): Promise<Refused>
}

export type Refused = { status: number; code: string; detail: string; errors?: { message: string }[] }

/** Throws the response's own message unless it is 2xx. Without a bearer the request is anonymous. */
export function client(base: string, bearer: string | null): Client {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    return fetch(`${base}${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  const ask = async (...[method, path, body, headers]: Parameters<typeof send>) => {
    const response = await send(method, path, body, headers)
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const json = async <T>(...args: Parameters<typeof ask>): Promise<T> =>
    (await ask(...args)).json() as Promise<T>
  return {
    get: (path, headers) => json('GET', path, undefined, headers),
    post: (path, body, headers) => json('POST', path, body, headers),
    patch: (path, body) => json('PATCH', path, body),
    put: (path, body) => json('PUT', path, body),
    // Signed addresses need no bearer: any client can fetch them.
    bytes: async (url) => {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`GET ${url} answered ${response.status}: ${await response.text()}`)
      return Buffer.from(await response.arrayBuffer())
    },
    async refusal(method, path, body) {
      const response = await send(method, path, body)
      if (response.ok)
        throw new Error(`${method} ${path} answered ${response.status}, but should be rejected.`)
      return (await response.json()) as Refused
    },
  }
}

/** A token for one of the demo's API clients. */
export async function tokenFor(base: string, account: string, id: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const response = await fetch(`${base}/${account}/auth/token`, { method: 'POST', body })
  if (!response.ok) throw new Error(`The token request failed: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}
