import { createHmac } from 'node:crypto'
import { type ProgressEvent, type Step, updatesOf } from './engine/progress.ts'
import type { SandboxConsignment, SandboxPushed } from './engine/sandbox-store.ts'
import { sandboxCredentials } from './sandbox-state.ts'
import { swiftlyPlan } from './servers/swiftly-server.ts'

/** Delivers a webhook to the receiving endpoint; true: it answered 2xx. */
export type DeliverWebhook = (
  carrier: string,
  accountId: string,
  webhook: { headers: Record<string, string>; body: Buffer },
) => Promise<boolean>

/**
 * Pushes all due events of one Swiftly job, one webhook per event, in order: the first rejected one ends the
 * run and is due again after a backoff. Write the result back with `settleDueSandbox`.
 */
export async function pushSandboxWebhook(
  { nowMs, wallMs, secretKey }: { nowMs(accountId: string): number; wallMs(): number; secretKey: string },
  consignment: SandboxConsignment & { claims: number },
  deliver: DeliverWebhook,
): Promise<SandboxPushed> {
  const { accountId, carrier } = consignment
  const secret = sandboxCredentials(secretKey, accountId, carrier).webhook_secret
  const updates = updatesOf(consignment, swiftlyPlan(consignment.request))
  let pushed = consignment.pushed
  for (const event of updates.slice(pushed)) {
    if (event.reportedAtMs > nowMs(accountId)) return { pushed, dueAtMs: event.reportedAtMs, refused: false }

    const body = Buffer.from(JSON.stringify({ events: [eventOf(consignment, event)] }))
    const headers = { 'content-type': 'application/json', ...signature(secret, wallMs(), body) }
    const isAccepted = await deliver(carrier, accountId, { headers, body })
    if (!isAccepted) {
      return { pushed, dueAtMs: nowMs(accountId) + pauseMs(consignment.claims), refused: true }
    }
    pushed += 1
  }
  return { pushed, dueAtMs: null, refused: false }
}

const STATES: Readonly<Record<Step, string>> = {
  assigned: 'driver_assigned',
  approaching: 'driver_nearby',
  collected: 'picked_up',
  in_transit: 'on_the_way',
  out_for_delivery: 'on_the_way',
  delivered: 'dropped_off',
  damaged: 'incident_damage',
  refused: 'recipient_refused',
  pending_return: 'returning',
  returned: 'back_at_store',
  cancelled: 'cancelled',
}

function eventOf(consignment: SandboxConsignment, { id, step, atMs }: ProgressEvent) {
  const { consignmentNumber: jobId, idempotencyKey, answer } = consignment
  return {
    id: `${jobId}-${id}`,
    job_id: jobId,
    state: STATES[step],
    occurred_at: new Date(atMs).toISOString(),
    idempotency_key: idempotencyKey,
    ...(answer as object),
  }
}

function signature(secret: string, wallMs: number, body: Buffer) {
  const timestamp = `${Math.floor(wallMs / 1000)}`
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  return { 'swiftly-timestamp': timestamp, 'swiftly-signature': `v1=${digest}` }
}

// Backoff: 10 s, 20 s, 40 s … at most 10 minutes.
function pauseMs(claims: number): number {
  return Math.min(10_000 * 2 ** Math.max(0, claims - 1), 600_000)
}
