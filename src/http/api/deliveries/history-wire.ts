import type { Zone } from '../../../domain/calendar/zone.ts'
import type { CarrierUpdate, TimelineEvent } from '../../../domain/delivery/timeline.ts'
import type { Explanation } from '../../../domain/quoting/explanation.ts'
import type { DecisionRecord, Weighed } from '../../../operations/deliveries/delivery-decision.ts'
import { recordTime } from './delivery-wire.ts'
import { fromExplanation } from './quote-wire.ts'

export function fromEvent(event: TimelineEvent): Record<string, unknown> {
  return {
    id: event.id,
    type: event.type,
    at: recordTime(event.atMs),
    received_at: event.arrivedAtMs === null ? undefined : recordTime(event.arrivedAtMs),
    duplicate: event.isRepeat || undefined,
    source: event.source,
    from: event.from ?? undefined,
    to: event.to ?? undefined,
    sub_status: event.subStatus ?? undefined,
    consignment_number: event.consignmentNumber ?? undefined,
    other_consignment_number: event.otherConsignmentNumber ?? undefined,
    detail: event.detail ?? undefined,
    changes: event.changes ?? undefined,
  }
}

export function fromCarrierUpdate(updates: CarrierUpdate): Record<string, unknown> {
  return {
    id: updates.eventId,
    at: recordTime(updates.atMs),
    received_at: recordTime(updates.arrivedAtMs),
    status: updates.status ?? undefined,
    sub_status: updates.subStatus ?? undefined,
    message: updates.message,
  }
}

export function fromWeighed(
  { accountVersion, explanation, chargedOn }: Weighed<Explanation | null>,
  zone: Zone,
): Record<string, unknown> {
  return {
    account_version: accountVersion,
    explanation: explanation && fromExplanation(explanation, zone, chargedOn),
  }
}

/** `warnings`: those that concern the delivery itself and not the choice of a carrier. */
export function fromDecisionRecord(
  record: DecisionRecord,
  zone: Zone,
  warnings: readonly string[],
): Record<string, unknown> {
  const { explanation } = record
  const warned = explanation && { ...explanation, warnings: [...explanation.warnings, ...warnings] }
  return {
    ...fromWeighed({ ...record, explanation: warned }, zone),
    attempts: record.attempts.map(({ attempt, provider, service, state, message, createdAtMs }) => ({
      attempt,
      provider,
      service,
      state,
      message,
      at: recordTime(createdAtMs),
    })),
  }
}
