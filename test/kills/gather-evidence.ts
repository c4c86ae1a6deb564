import type { Pool } from 'pg'
import type { Client } from '../harness/client.ts'
import { type Ask, pages } from '../harness/http.ts'
import { readSandboxLedger } from '../harness/sandbox-ledger.ts'
import type { Step } from '../harness/timelines.ts'
import type { KillJob } from './jobs.ts'
import type { FoundDelivery, KillEvidence } from './promises.ts'

/** Reads our record of every job, and the carriers' own ledger. */
export async function gatherEvidence(
  { db, client, operate }: { db: Pool; client: Client; operate: Ask },
  about: { jobs: readonly KillJob[]; endedByThemselves: readonly string[] },
): Promise<KillEvidence> {
  const found = await pages<FoundDelivery>(client.reader('demo'), '/deliveries')
  const { rows: own } = await db.query<Pick<FoundDelivery, 'id' | 'isUnanswered' | 'deadLetterReason'>>(
    `select delivery_id as id, pending_attempt is not null as "isUnanswered",
       dead_letter_reason as "deadLetterReason" from deliveries where account_id = 'demo'`,
  )
  const ownOf = new Map(own.map((row) => [row.id, row]))
  const { rows: steps } = await db.query<Step>(
    `select stream as "deliveryId", to_status as status, from_status as previous from events
     where account_id = 'demo' and stream <> '' and to_status is not null order by stream, position`,
  )
  return {
    ...about,
    history: client.history,
    wrong: client.wrong,
    deliveries: found.map((delivery) => ({ ...delivery, ...ownOf.get(delivery.id) })),
    ledgerEntries: await readSandboxLedger(operate, 'demo', found),
    steps,
  }
}
