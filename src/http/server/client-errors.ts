import type { Socket } from 'node:net'
import type { ErrorCode } from '../contract/errors.ts'
import { ERRORS, problemType } from '../contract/errors.ts'
import { newRequestId } from '../contract/request-id.ts'

/** Answers a request that is not valid HTTP, or arrived too slowly, on the bare socket; then closes the connection. */
export function refuseOnSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, reason, code, detail] = KNOWN[error.code ?? ''] ?? BAD_REQUEST
  const requestId = newRequestId()
  const body = JSON.stringify({
    type: problemType(code),
    title: ERRORS[code].title,
    status,
    detail,
    code,
    request_id: requestId,
  })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/problem+json; charset=utf-8\r\n` +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

type Known = readonly [status: number, reason: string, code: ErrorCode, detail: string]
const BAD_REQUEST: Known = [400, 'Bad Request', 'malformed_json', 'This is not an HTTP request.']
const KNOWN: Readonly<Record<string, Known>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'headers_too_large',
    'The address and the headers of the request exceed 16 KiB: send fewer headers or cookies.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'request_timeout',
    'The request did not arrive in time. Nothing was done. Send it again.',
  ],
}
