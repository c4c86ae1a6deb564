import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The client's `X-Request-Id` if it is safe to log and echo, otherwise a generated one. */
export function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return typeof header === 'string' && FIT.test(header) ? header : newRequestId()
}

/** Generates an id. */
export function newRequestId(): string {
  return `${PREFIX}${(++count).toString(36)}`
}

const FIT = /^[A-Za-z0-9._-]{1,128}$/
/** Random per process, so that ids of two processes or two starts never collide. */
const PREFIX = `req_${randomBytes(9).toString('base64url').replaceAll('_', '-')}.`
let count = 0
