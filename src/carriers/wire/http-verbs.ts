import type { CarrierRequest, Send } from '../port/send.ts'

/** A carrier's requests by HTTP verb, with the headers that each of them needs. */
export function httpVerbs(send: Send, headers: () => CarrierRequest['headers'] = () => ({})) {
  const by = (method: CarrierRequest['method']) => (path: string, body?: unknown) =>
    send({ method, path, headers: headers(), body })
  return {
    get: by('GET'),
    post: by('POST'),
    put: by('PUT'),
    drop: by('DELETE'),
    /** The bytes of a document. */
    bytes: (path: string) =>
      send({ method: 'GET', path, headers: headers(), body: undefined, accept: 'bytes' }),
  }
}
