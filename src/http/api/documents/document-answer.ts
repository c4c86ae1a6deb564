import type { HttpResponse } from '../../contract/endpoint.ts'

/** A document that whoever asks keeps under this name. */
export function documentAnswer(media: string, name: string, body: Buffer): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': media, 'content-disposition': `attachment; filename="${name}"` },
    body,
  }
}
