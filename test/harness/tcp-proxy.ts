import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A fault of a connection, in both directions. `black_hole`: nothing passes, and held bytes pass when it ends.
 * `drip`: a few bytes at a time, a millisecond apart. `garbage`: other bytes replace each response.
 */
export type WireFault =
  | { kind: 'none' }
  | { kind: 'delay'; ms: number }
  | { kind: 'black_hole' }
  | { kind: 'drip'; bytes: number }
  | { kind: 'garbage' }

export type TcpProxy = {
  /** On this machine. */
  port: number
  /** From now on, for open connections too. */
  set(fault: WireFault): void
  /** Ends every connection in both directions, by FIN or by RST; returns how many waited for a response. */
  cut(how: 'close' | 'reset'): number
  /** Connections whose client has sent bytes and got none back. */
  waiting(): number
  /** When clients disconnected while they waited; `performance.now()`. */
  abandonedAtMs: readonly number[]
  stop(): Promise<void>
}

const NONE: WireFault = { kind: 'none' }
const LOOK_MS = 10
const DRIP_MS = 1

/**
 * Forwards TCP to a port of this machine, with faults on request. Knows no protocol. `usualMs`: the delay of each
 * direction without a fault.
 */
export async function startTcpProxy(targetPort: () => number, usualMs = 0): Promise<TcpProxy> {
  let fault = NONE
  const links = new Set<Link>()
  const abandonedAtMs: number[] = []
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: targetPort(), host: '127.0.0.1', allowHalfOpen: true })
    const link: Link = { client, upstream, waiting: false }
    links.add(link)
    client.setNoDelay(true)
    upstream.setNoDelay(true)
    const end = (): void => {
      links.delete(link)
      client.destroy()
      upstream.destroy()
    }
    const abandon = (): void => {
      if (link.waiting && links.has(link)) abandonedAtMs.push(performance.now())
      link.waiting = false
    }
    client.once('end', abandon)
    client.once('close', () => {
      abandon()
      end()
    })
    upstream.once('close', end)
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
    pump(client, upstream, (bytes) => {
      link.waiting = true
      return bytes
    })
    pump(upstream, client, (bytes) => {
      link.waiting = false
      return fault.kind === 'garbage' ? garbageLike(bytes) : bytes
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** Forwards bytes of one side to the other in order, as the current fault allows. */
  function pump(from: Socket, to: Socket, seen: (bytes: Buffer) => Buffer): void {
    let line = Promise.resolve()
    from.on('data', (bytes: Buffer) => {
      // A client waits from the moment at which it sent, whatever delays the bytes.
      const now = seen(bytes)
      from.pause()
      line = line.then(async () => {
        await passed(to, now)
        from.resume()
      })
    })
    from.once('end', () => {
      line = line.then(() => void to.end())
    })
  }

  async function passed(to: Socket, bytes: Buffer): Promise<void> {
    const waitMs = usualMs + (fault.kind === 'delay' ? fault.ms : 0)
    if (waitMs > 0) await sleep(waitMs)
    while (fault.kind === 'black_hole' && !to.destroyed) await sleep(LOOK_MS)
    if (fault.kind !== 'drip') {
      to.write(bytes)
      return
    }
    for (let at = 0; at < bytes.length && !to.destroyed; ) {
      const size: number = fault.kind === 'drip' ? fault.bytes : bytes.length
      to.write(bytes.subarray(at, at + size))
      at += size
      await sleep(DRIP_MS)
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      fault = next
    },
    cut(how) {
      const open = [...links]
      links.clear()
      for (const { client, upstream } of open) {
        for (const socket of [client, upstream]) {
          // While its FIN is in flight it cannot be reset (libuv: EINVAL), and Node 24 then leaves its
          // descriptor open, spinning.
          if (how === 'reset' && !socket.writableEnded) socket.resetAndDestroy()
          else socket.destroy()
        }
      }
      return open.filter(({ waiting }) => waiting).length
    },
    waiting: () => [...links].filter(({ waiting }) => waiting).length,
    abandonedAtMs,
    async stop() {
      fault = NONE
      server.close()
      for (const { client, upstream } of links) {
        client.destroy()
        upstream.destroy()
      }
      await once(server, 'close')
    },
  }
}

type Link = { client: Socket; upstream: Socket; waiting: boolean }

/** As long as the original, and other bytes. */
function garbageLike(bytes: Buffer): Buffer {
  return Buffer.alloc(bytes.length, '<h1>\u0000oops ')
}
