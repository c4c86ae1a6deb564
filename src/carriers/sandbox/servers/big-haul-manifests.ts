import { z } from 'zod'
import { formatIssues } from '../../../domain/account/validation/shape-mistakes.ts'
import { lodgeOrder } from '../engine/lodge-order.ts'
import type { SandboxConsignment } from '../engine/sandbox-store.ts'
import { answered, type Visit } from '../engine/server.ts'

const ManifestRequest = z.looseObject({
  YourRef: z.string().min(1),
  Group: z.string().min(1),
  Hazardous: z.enum(['Y', 'N']),
  ConNotes: z.array(z.string().min(1)).min(1),
})

/** The response to a connote when it was made. */
type Connote = { ChargeCents: number; Labels: unknown[] }

/** Lodges at every request: this carrier doesn't detect a repeated connote. */
export async function manifest(visit: Visit) {
  const request = ManifestRequest.safeParse(visit.body)
  if (!request.success)
    return fail('BAD_REQUEST', formatIssues(ManifestRequest, visit.body, request.error.issues))

  const { YourRef, ConNotes } = request.data
  return lodgeOrder(visit, {
    reference: YourRef,
    consignmentNumbers: ConNotes,
    prefix: 'BHM',
    findableAfterMs: 0,
    once: false,
    answer: manifestOf,
    lodged: (response) => answered(200, response),
    rejected: () => fail('NO_RUN', 'No run is planned for this manifest.'),
    refused: (connotes) => fail('UNKNOWN_CONNOTE', `We do not hold ${connotes.slice(0, 20).join(', ')}.`),
  })
}

function manifestOf(ManifestNo: string, connotes: readonly SandboxConsignment[]) {
  return {
    Result: 'OK',
    ManifestNo,
    TotalCents: connotes.reduce((sum, { answer }) => sum + (answer as Connote).ChargeCents, 0),
    ConNotes: connotes.map(({ consignmentNumber, answer }) => ({
      ConNote: consignmentNumber,
      Labels: (answer as Connote).Labels,
    })),
  }
}

function fail(reason: string, message: string) {
  return answered(200, { Result: 'FAIL', Reason: reason, Message: message })
}
