import type { FastifyRequest } from 'fastify'
import type { AnswerDoc, Endpoint, HttpResponse } from './endpoint.ts'

export const OCTET_STREAM = 'application/octet-stream'

/**
 * Whether the response is a file, such as a PDF or a photo. A label counts in all of its forms, as ZPL too: bytes for a
 * printer.
 */
export function isFile({ media = [] }: AnswerDoc): boolean {
  return media.some((name) => name === 'application/pdf' || name.startsWith('image/'))
}

/**
 * The media types of a file, in the document's order. `application/octet-stream` is one of them because
 * openapi-python-client reads no other file type; it reads the first type that it knows, so this comes before text.
 */
export function mediaOfFile(media: readonly string[]): string[] {
  const isText = (name: string): boolean => name.startsWith('text/')
  return [...media.filter((name) => !isText(name)), OCTET_STREAM, ...media.filter(isText)]
}

/** Content negotiation (RFC 9110 section 12): a client that accepts only `application/octet-stream` gets files as that. */
export function withOctetStream<R extends Pick<FastifyRequest, 'headers'>>(
  { answers }: Pick<Endpoint, 'answers'>,
  answer: (request: R) => HttpResponse | Promise<HttpResponse>,
): (request: R) => HttpResponse | Promise<HttpResponse> {
  if (!Object.values(answers).some(isFile)) return answer
  return async (request) => {
    const response = await answer(request)
    const isAsked = request.headers.accept?.trim().toLowerCase() === OCTET_STREAM
    if (!isAsked || !isFile(answers[response.status] ?? { description: '' })) return response
    return { ...response, headers: { ...response.headers, 'content-type': OCTET_STREAM } }
  }
}
