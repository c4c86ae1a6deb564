import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { CarrierRequest, CarrierResponse } from '../../src/carriers/port/send.ts'
import { type SandboxState, sandboxState } from '../../src/carriers/sandbox/sandbox-state.ts'
import { makeLog } from '../../src/log.ts'
import { makeAccountDirectory } from '../../src/operations/directory/account-directory.ts'
import { makePool } from '../../src/store/db/pool.ts'
import { sandboxStore } from '../../src/store/sandbox/sandbox.ts'
import type { Carriers } from '../chaos/profile.ts'
import type { CleanUps } from '../harness/clean-ups.ts'
import { type SandboxEntry, sandboxEntries } from '../harness/sandbox-ledger.ts'

/** One call to a carrier, as sent between processes. */
type CarrierCall = { accountId: string; carrier: string; request: CarrierRequest }

/**
 * The sandbox's carriers in the process of the run, which no fault hits: a call completes even if the caller dies
 * before it reads the response.
 */
export async function startSandboxCarriers(
  cleanUps: CleanUps,
  { url, secretKey }: { url: string; secretKey: string },
): Promise<Carriers> {
  const db = makePool(url, { max: 20, applicationName: 'carriers' })
  cleanUps.after(() => db.end())
  const accounts = makeAccountDirectory({ db, log: makeLog('silent') })
  await accounts.start()
  cleanUps.after(() => accounts.stop())
  const nowMs = (accountId: string) => accounts.nowMs(accountId)
  const carriers = sandboxState({ store: sandboxStore(db), nowMs, secretKey })
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { accountId, carrier, request } = (await json(incoming)) as CarrierCall
      const answer = await carriers.handle(accountId, carrier, request)
      if (answer.kind === 'no_answer') incoming.socket.destroy()
      else outgoing.end(JSON.stringify(answer))
    } catch {
      incoming.socket.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    urls: { sandbox: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    networks: {},
    follow: async () => {},
    async readLedger(deliveries) {
      const { rows } = await db.query<SandboxEntry>(
        'select reference, carrier, operation, outcome, consignment_number from sandbox_ledger order by entry',
      )
      return { ledgerEntries: sandboxEntries(rows, deliveries), orders: [], unlisted: [] }
    },
  }
}

/** The sandbox's carriers at another address. Throws if no response comes: the outcome there is unknown. */
export function remoteCarriers(url: string): SandboxState {
  return {
    async handle(accountId, carrier, request) {
      const call: CarrierCall = { accountId, carrier, request }
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(call) })
      return (await response.json()) as CarrierResponse
    },
  }
}
