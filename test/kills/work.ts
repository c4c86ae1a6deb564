import { reassignDelivery } from '../../src/operations/bookings/reassign-delivery.ts'
import { requestCancel } from '../../src/operations/bookings/request-cancel.ts'
import { processDueDeliveries } from '../../src/operations/deliveries/process-due-deliveries.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { claimManifests, processDueManifests } from '../../src/operations/manifests/process-due-manifests.ts'
import { makeWebhookClaimer, sendWebhooks } from '../../src/operations/webhooks/send-webhooks.ts'
import { claimDelivery } from '../../src/store/deliveries/due-deliveries.ts'
import { anyone } from '../fixture.ts'
import { type Ask, asker, type Reply } from '../harness/http.ts'
import { serveApi } from '../harness/serve-api.ts'

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

/**
 * The process dies when it has done `step` this many times. Steps have names, not numbers, because another process may
 * do one first.
 */
export type CrashOrder = {
  work: Work
  databaseUrl: string
  secretKey: string
  dieAfter: { step: string; times: number }
}
/** The exit code of a process whose work ended before the step. */
export const STEP_NOT_REACHED = 43

const REQUESTS = { cancel: requestCancel, reassign: reassignDelivery }

const TURNS = {
  manifests: async (deps: Deps) => processDueManifests(deps, await claimManifests(deps, 10)),
  webhooks: async (deps: Deps) => sendWebhooks(deps, await makeWebhookClaimer()(deps, 10)),
}

const ACCOUNT = 'demo'

/** Account time. */
export function nowOf({ accounts }: Pick<Deps, 'accounts'>, accountId: string): number {
  return accounts.nowMs(accountId)
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
  const { url, stop } = await serveApi(deps)
  try {
    await send(asker(url), asking)
  } finally {
    await stop()
  }
}

/** Sends the client's request to an API. */
export function send(ask: Ask, { line, key, body, token }: Asking): Promise<Reply> {
  return ask(line, { body, token, headers: { 'idempotency-key': key } })
}

async function request(
  deps: Deps,
  operation: (typeof REQUESTS)[keyof typeof REQUESTS],
  deliveryId: string,
): Promise<void> {
  const entry = await deps.accounts.find(ACCOUNT)
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
