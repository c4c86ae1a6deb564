import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answering } from './answer-with.ts'
import type { FakeAnswer } from './fake.ts'

/** Serves on this machine only. Throws when the port is in use. */
export async function listen(
  port: number,
  answering: Answering,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    exchange(incoming, outgoing, answering).catch(() => incoming.socket.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken: choose another, or 0.`) : error
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function exchange(incoming: IncomingMessage, outgoing: ServerResponse, answering: Answering) {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const url = new URL(incoming.url ?? '/', 'http://fake.invalid')
  const answer = await answering({
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks),
    params: {},
  })
  if (answer) send(outgoing, answer)
  else incoming.socket.destroy()
}

function send(outgoing: ServerResponse, { status, headers = {}, body }: FakeAnswer): void {
  if (body === undefined) {
    outgoing.writeHead(status, headers).end()
    return
  }
  const ready = typeof body === 'string' || Buffer.isBuffer(body)
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(ready ? body : JSON.stringify(body))
}
