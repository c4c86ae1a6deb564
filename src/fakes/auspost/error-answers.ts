import type { FakeAnswer } from '../fake.ts'
import { type ApiError, apiError } from './errors.ts'

export function refused(status: number, ...errors: readonly ApiError[]): FakeAnswer {
  return { status, body: { errors } }
}

/** An error of the gateway, which knows keys, paths and rates and nothing of parcels. */
export function gatewayError(status: number, code: string, name: string, message = name): FakeAnswer {
  return { status, body: { errors: [{ message, error_code: code, error_name: name }] } }
}

/** An error of the platform behind the API: it could not read what it was given. */
export function unreadable(...messages: readonly string[]): FakeAnswer {
  const error_description =
    'The data you supplied is invalid. Error messages are in the messages section. Please fix those fields and try again.'
  return { status: 422, body: { errors: [{ messages, error: 'unprocessable_entity', error_description }] } }
}

export function tooManyRequests(): FakeAnswer {
  return gatewayError(429, 'API_002', 'Too many requests')
}

export function notKnown(): FakeAnswer {
  return gatewayError(401, 'API_001', 'Unauthorised', 'The API key or password is not right.')
}

/** 429 and 401 are the gateway's, 500 the platform's, and what is beyond is a proxy's page. */
export function failure(status: number): FakeAnswer {
  if (status === 429) return tooManyRequests()
  if (status === 401 || status === 403) return { ...notKnown(), status }
  if (status === 422) return unreadable('The request could not be processed.')
  if (status < 500) return refused(status, apiError('400', { message: 'The request is refused.' }))
  if (status === 500)
    return {
      status,
      body: { errors: [{ code: 'ESB-20010', name: 'System Error', message: 'Internal technical error' }] },
    }
  return {
    status,
    headers: { 'content-type': 'text/html' },
    body: `<html><head><title>${status}</title></head><body><h1>Service temporarily unavailable</h1></body></html>`,
  }
}
