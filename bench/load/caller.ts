import { connect } from 'node:net'

/**
 * One kept connection of many, with one request under way, as cheap as it can be: bytes out, and of what comes back
 * only the status and the length. `onEnd` comes once: after a connection that failed there are no more answers.
 */
export type Caller = {
  ask(request: string, onStatus: (status: number) => void): void
  isOpen(): boolean
  close(): void
}

export function openCaller(host: string, port: number, onEnd: () => void): Caller {
  const socket = connect({ host, port, noDelay: true })
  let tell: ((status: number) => void) | null = null
  let status = 0
  let head = ''
  /** Bytes of the body still to come; null while the head is not whole. */
  let left: number | null = null

  socket.on('data', (chunk) => {
    if (left === null) {
      const end = chunk.indexOf(END_OF_HEAD)
      head += chunk.toString('latin1', 0, end < 0 ? chunk.length : end)
      if (end < 0) return
      status = Number(head.slice(9, 12))
      left = lengthIn(head) - (chunk.length - end - END_OF_HEAD.length)
      head = ''
    } else left -= chunk.length
    if (left > 0) return
    left = null
    const told = tell
    tell = null
    told?.(status)
  })
  socket.on('error', () => {})
  socket.once('close', onEnd)
  return {
    ask(request, onStatus) {
      tell = onStatus
      socket.write(request, 'latin1')
    },
    isOpen: () => !socket.destroyed && socket.writable,
    close: () => socket.destroy(),
  }
}

const END_OF_HEAD = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i

function lengthIn(head: string): number {
  const length = LENGTH.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer without Content-Length: ${head}`)
  return Number(length)
}
