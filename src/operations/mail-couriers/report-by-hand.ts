import { COURIER_STEPS, type CourierStep } from '../../domain/delivery/courier-steps.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { applyCarrierEvents } from '../carriers/apply-carrier-events.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { findCarrier } from '../directory/find-carrier.ts'

/**
 * A status report on a delivery whose courier has no API. `atMs` null: now; then `dedupeKey` identifies a repeated
 * report.
 */
export type HandReport = { step: CourierStep; atMs: number | null; note: string | null; dedupeKey?: string }
/** The source of the report: our clerk, an imported CSV, or the courier's staff by their link. */
export type HandSource = 'clerk' | 'csv' | 'courier'

const WHO: Readonly<Record<HandSource, string>> = {
  clerk: 'by the store',
  csv: 'by the courier’s list',
  courier: 'by the courier',
}
/** Tolerance for clocks that run ahead. */
const AHEAD_MS = 5 * 60_000

/**
 * Applies a manual status report as if it were a carrier's event: events order by their own time, and a final
 * status doesn't change. Refuses `carrier_reports_itself`, and `invalid_request` for an impossible time.
 */
export async function reportByHand(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { step, atMs, note, dedupeKey }: HandReport,
  source: HandSource,
): Promise<Delivery> {
  const carrier = await findCarrier(deps, row.account_id, row.carrier_provider ?? '')
  if (!carrier?.reportedManually || row.consignment_number === null) {
    throw new Refusal('carrier_reports_itself', whyNot(row))
  }
  const nowMs = entry.nowMs()
  const when = atMs ?? nowMs
  const since = row.booked_at ?? row.created_at
  if (when < since || when > nowMs + AHEAD_MS) {
    const message = 'is before the booking or in the future'
    throw new Refusal('invalid_request', 'The time cannot be.', {
      issues: [{ field: 'at', issue: 'out_of_range', message }],
    })
  }
  const { status, subStatus, text } = COURIER_STEPS[step]
  const message = `${text.replace(/\.$/, '')}, ${WHO[source]}${note ? `: ${note}` : '.'}`
  const after = await applyCarrierEvents(deps, entry, row.delivery_id, [
    {
      consignmentNumber: row.consignment_number,
      eventId: `hand ${step} ${(atMs === null && dedupeKey) || new Date(when).toISOString()}`,
      atMs: Math.min(when, nowMs),
      status,
      subStatus,
      message,
    },
  ])
  return toDelivery(after ?? row)
}

function whyNot({ reference, status, consignment_number, chosen }: DeliveryRow): string {
  if (consignment_number === null) return `Delivery ${reference} is ${status}: no courier has it.`
  return `${chosen?.carrierName ?? 'Its own courier'} reports the progress of delivery ${reference} itself. If it no longer does, record the outcome with PATCH …/record-outcome.`
}
