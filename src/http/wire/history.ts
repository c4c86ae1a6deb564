import type { Zone } from '../../domain/calendar/zone.ts'
import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import type { DecisionRecord } from '../../operations/delivery-decision.ts'
import { recordTime } from './delivery.ts'
import { fromExplanation } from './quote.ts'

export function fromEvent(event: DeliveryEvent): Record<string, unknown> {
  return {
    id: event.id,
    type: event.type,
    at: recordTime(event.atMs),
    source: event.source,
    from: event.from ?? undefined,
    to: event.to ?? undefined,
    sub_status: event.subStatus ?? undefined,
    consignment_number: event.consignmentNumber ?? undefined,
    detail: event.detail ?? undefined,
  }
}

export function fromDecisionRecord(
  { explanation, attempts }: DecisionRecord,
  zone: Zone,
): Record<string, unknown> {
  return {
    explanation: explanation && fromExplanation(explanation, zone),
    attempts: attempts.map(({ attempt, provider, service, state, said, createdAtMs }) => ({
      attempt,
      provider,
      service,
      state,
      said,
      at: recordTime(createdAtMs),
    })),
  }
}
