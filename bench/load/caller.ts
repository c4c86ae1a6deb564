import { connect } from 'node:net'
import { answersOf } from './answers.ts'

/**
 * One of many keep-alive connections, with one request in flight. `onEnd` is called once: after a failed connection
 * there are no more responses.
 */
export type Caller = {
  ask(request: string, onStatus: (status: number) => void): void
  isOpen(): boolean
  close(): void
}

export function openCaller(host: string, port: number, onEnd: () => void): Caller {
  const socket = connect({ host, port, noDelay: true })
  let onResponse: ((status: number) => void) | null = null
  socket.on(
    'data',
    answersOf((status) => {
      const respond = onResponse
      onResponse = null
      respond?.(status)
    }),
  )
  socket.on('error', () => {})
  socket.once('close', onEnd)
  return {
    ask(request, onStatus) {
      onResponse = onStatus
      socket.write(request, 'latin1')
    },
    isOpen: () => !socket.destroyed && socket.writable,
    close: () => socket.destroy(),
  }
}
