import type { HttpResponse } from '../../contract/endpoint.ts'

/** A document as a download with this file name. */
export function documentAnswer(media: string, name: string, body: Buffer): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': media, 'content-disposition': `attachment; filename="${name}"` },
    body,
  }
}
