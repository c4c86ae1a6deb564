import type { Pool } from 'pg'
import type { Status } from '../../src/domain/delivery/status.ts'
import type { Client } from '../harness/client.ts'
import { replaySandboxLedger, type SandboxEntry } from '../harness/sandbox-ledger.ts'
import type { Step } from '../harness/timelines.ts'
import type { KillJob } from './jobs.ts'
import type { FoundDelivery, KillEvidence } from './promises.ts'

/** Reads our record of every job, and the carriers' own ledger. */
export async function gatherEvidence(
  db: Pool,
  client: Client,
  { jobs, endedByThemselves }: { jobs: readonly KillJob[]; endedByThemselves: readonly string[] },
): Promise<KillEvidence> {
  const { rows: deliveries } = await db.query<FoundDelivery>(
    `select reference, delivery_id, status, status_reason, consignment_number, pending_attempt, dead_letter_reason
     from deliveries where account_id = 'demo'`,
  )
  for (const delivery of deliveries) {
    const read = await client.ask({
      account: 'demo',
      operation: 'read',
      reference: delivery.reference,
      line: `GET /deliveries/${delivery.reference}`,
    })
    delivery.special_instructions = read.answer?.json.data?.special_instructions ?? null
  }
  const { rows: ledger } = await db.query<SandboxEntry>(
    `select reference, carrier, operation, outcome, consignment_number
     from sandbox_ledger where account_id = 'demo' order by entry`,
  )
  const { rows: events } = await db.query<{ stream: string; from_status: Status | null; to_status: Status }>(
    `select stream, from_status, to_status from events
     where account_id = 'demo' and stream <> '' and to_status is not null order by stream, position`,
  )
  return {
    jobs,
    history: client.history,
    wrong: client.wrong,
    endedByThemselves,
    deliveries,
    bookings: replaySandboxLedger(ledger),
    steps: events.map(
      ({ stream, from_status, to_status }): Step => ({
        deliveryId: stream,
        status: to_status,
        previous: from_status,
      }),
    ),
  }
}
