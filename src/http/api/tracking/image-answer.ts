import type { HttpResponse } from '../../contract/endpoint.ts'

/** An image of a page for customers. One that is opened by itself runs nothing, whatever it contains. */
export function toImage({ bytes, mediaType }: { bytes: Buffer; mediaType: string }): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-type': mediaType,
    },
    body: bytes,
  }
}
