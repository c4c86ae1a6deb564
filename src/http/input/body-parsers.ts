import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import { getBodyLimit } from '../admission/cost-of-request.ts'
import type { BodyLimit } from '../contract/body-limit.ts'
import { INTAKE_LIMITS, type IntakeLimits } from '../contract/intake-limits.ts'
import { type BodyBudget, type BodyLease, makeBodyBudget } from './body-budget.ts'
import { readForm } from './form-body.ts'
import { readJson, readLargeJson } from './json-body.ts'
import { readBody } from './read-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The lease on the bytes of a large body, held until its request is answered; null for all others. */
    heldBody: BodyLease | null
  }
}

/**
 * Larger bodies count against the budget until their request is answered, because the values parsed from them live as
 * long.
 */
const HELD_BYTES = 16 * 1024
/** Up to this size a JSON body is read at once: 1 to 5 ms. */
const AT_ONCE_BYTES = 256 * 1024

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * Registers the body parsers: JSON for all endpoints, forms and raw bytes where the endpoint declares them. Returns
 * their budget.
 */
export function registerBodyParsers(app: FastifyInstance, limits: IntakeLimits = INTAKE_LIMITS): BodyBudget {
  const budget = makeBodyBudget(limits)
  const { bodyMs } = limits
  app.removeAllContentTypeParsers()
  const parser: BodyParser = (request, payload, done) => {
    const limit = getBodyLimit(request.endpoint?.bodyLimit)
    readBody(request, payload, { limit, budget, bodyMs }, (error, body, lease) => {
      if (error || !body) return done(error)
      const finish = (value: unknown): void => {
        if (lease && body.length > HELD_BYTES) request.heldBody = lease
        else lease?.release()
        done(null, value)
      }
      const refuse = (refusal: Error): void => {
        lease?.release()
        done(refusal)
      }
      let value: unknown
      try {
        value = parsedBody(request, body)
      } catch (refusal) {
        return refuse(refusal as Error)
      }
      if (value instanceof Promise) value.then(finish, refuse)
      else finish(value)
    })
  }
  // Named types are found in a table; other types, and requests without one, would each be parsed again.
  app.addContentTypeParser([JSON_TYPE, FORM_TYPE], parser)
  app.addContentTypeParser('*', parser)
  return budget
}

type BodyParser = (
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: unknown) => void,
) => void

/** A promise of the value of a large JSON body. */
function parsedBody(request: FastifyRequest, body: Buffer): unknown {
  const type = request.headers['content-type']
  if (request.endpoint?.bodyForm === 'raw') return body
  if (type !== undefined && READ.test(type)) return read(request, type, body)
  // An empty body without a content type counts as no body.
  if (body.length === 0 && type === undefined) return undefined
  throw wrongType(request.endpoint?.bodyForm)
}

const READ = /^application\/(?:json|x-www-form-urlencoded)\s*(?:;|$)/i

function read(request: FastifyRequest, contentType: string, body: Buffer): unknown {
  const form = request.endpoint?.bodyForm
  const limit = getBodyLimit(request.endpoint?.bodyLimit)
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) throw wrongType(form)
  if (/^application\/json/i.test(contentType)) {
    if (body.length === 0) return undefined
    if (form !== 'form' && body.length > AT_ONCE_BYTES) {
      return readLargeJson(body, limit).then(({ value, issues }) => {
        request.bodyIssues = issues
        return value
      })
    }
    const { value, issues } = form === 'form' ? readable(body, limit) : readJson(body, limit)
    request.bodyIssues = issues
    return value
  }
  if (form !== 'form') throw wrongType(form)
  const { value, issues } = readForm(body)
  request.bodyIssues = issues
  return value
}

/** For an endpoint that reports its own issues: "not JSON" is one of them. */
function readable(body: Buffer, limit: BodyLimit): ReturnType<typeof readJson> {
  try {
    return readJson(body, limit)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { value: undefined, issues: [{ field: '', issue: 'invalid_value', message: error.message }] }
  }
}

function wrongType(form: 'raw' | 'form' | undefined): Refusal {
  const accepted =
    form === 'form' ? 'application/json or application/x-www-form-urlencoded' : 'application/json'
  return new Refusal('unsupported_media_type', `Send the body as ${accepted} in UTF-8.`)
}
