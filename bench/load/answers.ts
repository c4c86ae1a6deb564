/**
 * Parses the responses of one connection, one in flight at a time, as cheaply as possible: only status and length,
 * wherever the stream is cut. `onStatus` is called when a response is complete.
 */
export function answersOf(onStatus: (status: number) => void): (chunk: Buffer) => void {
  let status = 0
  /** The received part of an incomplete head. */
  let early = EMPTY
  /** Bytes of the body still to come; null while the head is incomplete. */
  let left: number | null = null

  return (chunk) => {
    if (left === null) {
      const bytes = early.length === 0 ? chunk : Buffer.concat([early, chunk])
      const end = bytes.indexOf(END_OF_HEAD)
      early = end < 0 ? bytes : EMPTY
      if (end < 0) return
      const head = bytes.toString('latin1', 0, end)
      status = Number(head.slice(9, 12))
      left = lengthIn(head) - (bytes.length - end - END_OF_HEAD.length)
    } else left -= chunk.length
    if (left > 0) return
    left = null
    onStatus(status)
  }
}

const EMPTY: Buffer<ArrayBufferLike> = Buffer.alloc(0)
const END_OF_HEAD = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i

function lengthIn(head: string): number {
  const length = LENGTH.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer without Content-Length: ${head}`)
  return Number(length)
}
