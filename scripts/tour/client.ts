import { DroverError } from '../../clients/typescript/src/index.ts'

/**
 * HTTP requests that `@drover/client` does not make, because they need no client's token: of the operator, of a customer
 * with a link, of a driver.
 */
export type Client = {
  get<T>(path: string, headers?: Record<string, string>): Promise<T>
  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  /** Returns the error message; throws if the request succeeds. */
  refusal(method: string, path: string, body: unknown): Promise<{ detail: string }>
}

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
  const json = async <T>(...[method, path, body, headers]: Parameters<typeof send>): Promise<T> => {
    const response = await send(method, path, body, headers)
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    get: (path, headers) => json('GET', path, undefined, headers),
    post: (path, body, headers) => json('POST', path, body, headers),
    put: (path, body) => json('PUT', path, body),
    async refusal(method, path, body) {
      const response = await send(method, path, body)
      if (response.ok)
        throw new Error(`${method} ${path} answered ${response.status}, but should be rejected.`)
      return (await response.json()) as { detail: string }
    },
  }
}

/** A document by its signed address, which needs no token. */
export async function getDocument(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}: ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}

/** The error of a request that the API rejects; throws if the request succeeds. */
export async function getRefusal(request: Promise<unknown>): Promise<DroverError> {
  const answer = await request.catch((error: unknown) => error)
  if (answer instanceof DroverError) return answer
  if (answer instanceof Error) throw answer
  throw new Error('The API accepted a request that it should reject.')
}
