import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Logger } from 'pino'
import type { CarrierRequest } from '../../src/carriers/port/send.ts'
import { sandboxState } from '../../src/carriers/sandbox/sandbox-state.ts'
import { makeAccountDirectory } from '../../src/operations/directory/account-directory.ts'
import { makePool } from '../../src/store/db/pool.ts'
import { sandboxStore } from '../../src/store/sandbox/sandbox.ts'

/** One call to a carrier, as sent between processes. */
export type CarrierCall = { accountId: string; carrier: string; request: CarrierRequest }

/**
 * The sandbox carriers in a separate process. A request completes even if the caller dies before it reads the
 * response. Returns its address, and reports to the parent each caller that died while it waited.
 */
export async function startCarrierServer(
  { databaseUrl, secretKey }: { databaseUrl: string; secretKey: string },
  log: Logger,
): Promise<string> {
  const db = makePool(databaseUrl, { max: 20, applicationName: 'carriers' })
  const accounts = makeAccountDirectory({ db, log })
  await accounts.start()
  const nowMs = (accountId: string) => accounts.nowMs(accountId)
  const fixture = sandboxState({ store: sandboxStore(db), nowMs, secretKey })

  const server = createServer(async (incoming, outgoing) => {
    const { accountId, carrier, request } = (await json(incoming)) as CarrierCall
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) process.send?.({ cut: kindOf(request) })
    })
    const answer = await fixture.handle(accountId, carrier, request).catch(() => null)
    if (answer === null || answer.kind === 'no_answer') reset(incoming)
    else outgoing.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The carrier's operation that a request calls. */
function kindOf({ method, path }: CarrierRequest): 'book' | 'find' | 'cancel' | 'track' {
  if (method === 'DELETE' || path.endsWith('/cancel')) return 'cancel'
  if (method === 'POST') return 'book'
  return path.includes('reference=') ? 'find' : 'track'
}

function reset({ socket }: IncomingMessage): void {
  socket.destroy()
}
