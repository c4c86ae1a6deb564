import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/errors.ts'
import { readForm } from './form-body.ts'
import { readJson } from './json-body.ts'

/** Which bodies are read, and how: JSON everywhere, forms and raw bytes where the endpoint says so. */
export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/x-www-form-urlencoded'],
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      try {
        done(null, read(request, request.headers['content-type'] as string, body))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.endpoint?.bodyForm === 'raw') return done(null, body)
    // An empty body of no type is no body.
    if (body.length === 0 && request.headers['content-type'] === undefined) return done(null, undefined)
    done(wrongType(request.endpoint?.bodyForm))
  })
}

function read(request: FastifyRequest, contentType: string, body: Buffer): unknown {
  const form = request.endpoint?.bodyForm
  if (form === 'raw') return body
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) throw wrongType(form)
  if (/^application\/json/i.test(contentType)) {
    if (body.length === 0) return undefined
    const { value, issues } = form === 'form' ? readable(body) : readJson(body)
    request.bodyIssues = issues
    return value
  }
  if (form !== 'form') throw wrongType(form)
  const { value, issues } = readForm(body)
  request.bodyIssues = issues
  return value
}

/** For an endpoint that words its mistakes itself: that it is no JSON is one of them. */
function readable(body: Buffer): ReturnType<typeof readJson> {
  try {
    return readJson(body)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { value: undefined, issues: [{ field: '', issue: 'invalid_value', message: error.message }] }
  }
}

function wrongType(form: 'raw' | 'form' | undefined): Refusal {
  const taken = form === 'form' ? 'application/json or application/x-www-form-urlencoded' : 'application/json'
  return new Refusal('unsupported_media_type', `Send the body as ${taken} in UTF-8.`)
}
