import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'

export type Received = {
  id: string
  headers: Record<string, string>
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test parses any event.
  event: any
  atMs: number
}

/** What a receiver does with a request: returns this status, or runs a handler. */
export type Behaviour = (
  received: Received,
  exchange: { request: IncomingMessage; response: ServerResponse },
) => number | null | Promise<number | null>

export type Receiver = {
  url: string
  received: Received[]
  /** From now on; null sends no response. */
  behave(behaviour: Behaviour): void
  /** Events that got a 2xx, in the order of arrival. */
  taken: Received[]
}

/** A customer's real HTTP server, closed with the test. */
export async function webhookReceiver(
  t: Pick<TestContext, 'after'>,
  first: Behaviour = () => 204,
): Promise<Receiver> {
  const received: Received[] = []
  const taken: Received[] = []
  let behaviour = first
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const one = {
      id: headers['webhook-id'] ?? '',
      headers,
      body,
      event: JSON.parse(body || '{}'),
      atMs: Date.now(),
    }
    received.push(one)
    const status = await behaviour(one, { request, response })
    if (status !== null && status < 300) taken.push(one)
    if (status !== null && !response.writableEnded) response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    taken,
    behave: (next) => {
      behaviour = next
    },
  }
}

/** Whether the Standard Webhooks library verifies the request. */
export function isGenuine(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
