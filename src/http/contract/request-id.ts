import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The caller's `X-Request-Id` if it is fit to be logged and repeated, else one of ours. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && FIT.test(given) ? given : newRequestId()
}

/** One of ours. */
export function newRequestId(): string {
  return `${PREFIX}${(++count).toString(36)}`
}

const FIT = /^[A-Za-z0-9._-]{1,128}$/
/** Random per process, so that ids of two processes or two starts never meet. */
const PREFIX = `req_${randomBytes(9).toString('base64url').replaceAll('_', '-')}.`
let count = 0
