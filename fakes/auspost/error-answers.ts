import type { FakeAnswer } from '../fake.ts'
import { type ApiError, apiError } from './errors.ts'

export function refused(status: number, ...errors: readonly ApiError[]): FakeAnswer {
  return { status, body: { errors } }
}

/** An error of the API gateway, which knows about keys, paths and rates, but not about parcels. */
export function gatewayError(status: number, code: string, name: string, message = name): FakeAnswer {
  return { status, body: { errors: [{ message, error_code: code, error_name: name }] } }
}

/** A body that is not a JSON object. Its code and status are made up. */
export function unreadable(): FakeAnswer {
  return refused(400, apiError('400', { message: 'The body is not a JSON object.' }))
}

export function tooManyRequests(): FakeAnswer {
  return gatewayError(429, 'API_002', 'Too many requests')
}

export function notKnown(): FakeAnswer {
  return gatewayError(401, 'API_001', 'Unauthorised', 'The API key or password is not right.')
}

/** Its message for an internal failure, which leaves open whether the request was executed. */
export function systemError(status: number): FakeAnswer {
  const error = { code: 'ESB-20010', name: 'System Error', message: 'Internal technical error' }
  return { status, body: { errors: [error] } }
}

/** 429 and 401 come from the gateway, 500 is a system error, and later ones are a proxy's page. */
export function failure(status: number): FakeAnswer {
  if (status === 429) return tooManyRequests()
  if (status === 401 || status === 403) return { ...notKnown(), status }
  if (status < 500) return refused(status, apiError('400', { message: 'The request is refused.' }))
  if (status === 500) return systemError(status)
  return {
    status,
    headers: { 'content-type': 'text/html' },
    body: `<html><head><title>${status}</title></head><body><h1>Service temporarily unavailable</h1></body></html>`,
  }
}
