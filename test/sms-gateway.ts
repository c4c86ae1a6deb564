import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export type Sms = { to: string; text: string; id: string }
/** What the gateway does: accepts the message or not, and responds with a status or hangs up. */
export type SmsFate = 'take' | 'take-and-hang-up' | 'hang-up' | number

export type SmsGateway = {
  url: string
  fate: SmsFate
  /** Messages that phones received: one for each id, however often it was sent. */
  received: Sms[]
  /** Every request, with its idempotency key. */
  asked: { sms: Sms; key: string | undefined; authorization: string | undefined }[]
  stop(): Promise<void>
}

/** An SMS gateway as the guide describes it, on a port of this machine. `fateOf`: of each request, instead of `fate`. */
export async function smsGateway(t: Pick<TestContext, 'after'>, fateOf?: () => SmsFate): Promise<SmsGateway> {
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sms = JSON.parse(Buffer.concat(chunks).toString()) as Sms
    const key = request.headers['idempotency-key'] as string | undefined
    running.asked.push({ sms, key, authorization: request.headers.authorization })
    const fate = fateOf?.() ?? running.fate
    if (typeof fate === 'number') return reply.writeHead(fate).end()
    if (fate === 'hang-up') return request.socket.destroy()
    if (!running.received.some(({ id }) => id === sms.id)) running.received.push(sms)
    if (fate === 'take-and-hang-up') request.socket.destroy()
    else reply.writeHead(202).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const running: SmsGateway = {
    url: `http://shop:s%40cret@127.0.0.1:${(server.address() as AddressInfo).port}/messages`,
    fate: 'take',
    received: [],
    asked: [],
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  t.after(() => running.stop())
  return running
}
