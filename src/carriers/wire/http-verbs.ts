import type { CarrierRequest, Send } from '../port/send.ts'

/** A carrier's requests by their verbs, with the headers that each of them needs. */
export function httpVerbs(send: Send, headers: () => CarrierRequest['headers'] = () => ({})) {
  const by = (method: CarrierRequest['method']) => (path: string, body?: unknown) =>
    send({ method, path, headers: headers(), body })
  return {
    get: by('GET'),
    post: by('POST'),
    put: by('PUT'),
    drop: by('DELETE'),
    /** A document's bytes. */
    bytes: (path: string) =>
      send({ method: 'GET', path, headers: headers(), body: undefined, accept: 'bytes' }),
  }
}
