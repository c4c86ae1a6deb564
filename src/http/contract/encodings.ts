import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import type { HttpResponse } from './endpoint.ts'

export type Encoding = 'br' | 'gzip'

/** Optional white space between the parts of a header (RFC 9110). */
const OWS = '[ \\t]*'

/** Whether the client accepts the encoding (RFC 9110 section 12.5.3): it is named, and its weight is not zero. */
export function takesEncoding({ headers }: Pick<FastifyRequest, 'headers'>, encoding: Encoding): boolean {
  const accepted = String(headers['accept-encoding'] ?? '')
  return new RegExp(`\\b${encoding}\\b(?!${OWS};${OWS}q=0(\\.0*)?${OWS}(,|$))`, 'i').test(accepted)
}

/** Compresses a document if the client accepts that. Images are compressed already. */
export async function packedFor(request: FastifyRequest, answer: HttpResponse): Promise<HttpResponse> {
  const headers: HttpResponse['headers'] = { ...answer.headers, vary: 'accept-encoding' }
  if (headers['content-type']?.startsWith('image/') || !takesEncoding(request, 'gzip')) {
    return { ...answer, headers }
  }
  const body = await gzipped(answer.body)
  return { ...answer, headers: { ...headers, 'content-encoding': 'gzip' }, body }
}

const gzipped = promisify(gzip) as (body: string | Buffer) => Promise<Buffer>
