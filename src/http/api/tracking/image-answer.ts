import type { HttpResponse } from '../../contract/endpoint.ts'

/** An image on a page for customers. Opened by itself it runs no script, whatever it contains. */
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
