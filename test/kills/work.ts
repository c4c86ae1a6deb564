import { Registry } from 'prom-client'
import { buildServer } from '../../src/http/server/server.ts'
import { closeServer } from '../../src/http/server/stop.ts'
import { reassignDelivery } from '../../src/operations/bookings/reassign-delivery.ts'
import { requestCancel } from '../../src/operations/bookings/request-cancel.ts'
import { processDueDeliveries } from '../../src/operations/deliveries/process-due-deliveries.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { claimManifests, processDueManifests } from '../../src/operations/manifests/process-due-manifests.ts'
import { claimWebhooks, sendWebhooks } from '../../src/operations/webhooks/send-webhooks.ts'
import { claimDelivery } from '../../src/store/deliveries/due-deliveries.ts'
import { anyone } from '../fixture.ts'

/** A client's HTTP request. */
export type Asking = { line: string; key: string; body: object; token: string }

/**
 * The work of a process when it dies: a worker's turn at one delivery, or a request to cancel or reassign it; a
 * client's request; a worker's turn at due manifests, or at webhook endpoints with pending events.
 */
export type Work =
  | { task: 'turn' | keyof typeof REQUESTS; deliveryId: string }
  | ({ task: 'ask' } & Asking)
  | { task: keyof typeof TURNS }

const REQUESTS = { cancel: requestCancel, reassign: reassignDelivery }

const TURNS = {
  manifests: async (deps: Deps) => processDueManifests(deps, await claimManifests(deps, 10)),
  webhooks: async (deps: Deps) => sendWebhooks(deps, await claimWebhooks(deps, 10)),
}

const ACCOUNT = 'demo'

/** Account time. */
export function nowOf({ accounts }: Pick<Deps, 'accounts'>, accountId: string): number {
  return accounts.find(accountId)?.nowMs() ?? Date.now()
}

/** Does exactly this work. A turn that finds the delivery claimed does nothing. */
export async function doWork(deps: Deps, work: Work): Promise<void> {
  switch (work.task) {
    case 'ask':
      return askOnce(deps, work)
    case 'manifests':
    case 'webhooks':
      return TURNS[work.task](deps)
    case 'turn':
      return takeTurn(deps, work.deliveryId)
    default:
      return request(deps, REQUESTS[work.task], work.deliveryId)
  }
}

async function askOnce(deps: Deps, asking: Asking): Promise<void> {
  const client = await startClient(deps)
  try {
    await client.ask(asking)
  } finally {
    await client.stop()
  }
}

async function request(
  deps: Deps,
  operation: (typeof REQUESTS)[keyof typeof REQUESTS],
  deliveryId: string,
): Promise<void> {
  const entry = deps.accounts.find(ACCOUNT)
  if (!entry) throw new Error('The demo account does not exist.')
  const name = { idOrReference: deliveryId, storeReference: null }
  await operation(deps, entry, anyone, name, { reason: 'changed my mind', carrierReleaseConfirmed: false })
}

async function takeTurn(deps: Deps, deliveryId: string): Promise<void> {
  const claimedAtMs = performance.now()
  const row = await claimDelivery(deps.db, ACCOUNT, deliveryId, {
    leaseMs: deps.leaseMs,
    nowMs: nowOf(deps, ACCOUNT),
  })
  if (row) await processDueDeliveries(deps, [{ row, claimedAtMs }])
}

export type Answered = { status: number; text: string; isReplay: boolean }

export type Client = { ask(asking: Asking): Promise<Answered>; stop(): Promise<void> }

/** Calls a process with these deps, over a socket. */
export async function startClient(deps: Deps): Promise<Client> {
  const app = buildServer({
    ...deps,
    operatorToken: 'nobody’s',
    version: '0.0.0-test',
    registry: new Registry(),
    tracer: null,
    notReady: () => null,
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    stop: () => closeServer(app, { drainMs: 0, withinMs: 500 }),
    async ask({ line, key, body, token }) {
      const [method = '', path] = line.split(' ')
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      }
      const answer = await fetch(`${address}${path}`, { method, headers, body: JSON.stringify(body) })
      const text = await answer.text()
      return { status: answer.status, text, isReplay: answer.headers.has('idempotent-replayed') }
    },
  }
}
