import { connect } from 'node:net'

export type Answered = { status: number; body: Buffer }

/**
 * One keep-alive connection with one request in flight: writes bytes, and resolves when as many bytes have arrived
 * as the head says. It parses only the HTTP/1.1 that it needs, so that it costs little compared with the measured service.
 */
export type Connection = {
  ask(request: Buffer | string): Promise<Answered>
  isOpen(): boolean
  close(): void
}

export function openConnection(host: string, port: number): Promise<Connection> {
  return new Promise((opened, failed) => {
    const socket = connect({ host, port, noDelay: true })
    let pending: { resolve(answered: Answered): void; reject(error: Error): void } | null = null
    let received = EMPTY
    const fail = (error: Error) => {
      pending?.reject(error)
      failed(error)
    }
    socket.once('error', fail)
    socket.once('close', () => fail(new Error('The server closed the connection.')))
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answered = answerIn(received)
      if (!answered || !pending) return
      const { resolve } = pending
      pending = null
      received = EMPTY
      resolve(answered)
    })
    socket.once('connect', () =>
      opened({
        ask: (request) =>
          new Promise((resolve, reject) => {
            pending = { resolve, reject }
            socket.write(request, 'latin1')
          }),
        isOpen: () => !socket.destroyed && socket.writable,
        close: () => socket.destroy(),
      }),
    )
  })
}

const EMPTY: Buffer<ArrayBufferLike> = Buffer.alloc(0)
const END_OF_HEAD = '\r\n\r\n'

/** The complete response, or null while a part is missing. */
function answerIn(received: Buffer): Answered | null {
  const end = received.indexOf(END_OF_HEAD)
  if (end < 0) return null
  const head = received.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  if (Number.isNaN(length)) throw new Error(`An answer without Content-Length: ${head}`)
  const body = received.subarray(end + END_OF_HEAD.length)
  return body.length < length ? null : { status: Number(head.slice(9, 12)), body }
}
