import { newsBy } from '../engine/journey.ts'
import type { Step } from '../engine/progress.ts'
import { answered, type Visit } from '../engine/server.ts'
import { southernPlan } from './southern-parcels-request.ts'

/** The scans so far of several shipments; an unknown id fails only for itself. */
export async function track(visit: Visit) {
  const ids = (visit.query.get('ids') ?? '').split(',').filter((id) => id !== '')
  if (ids.length > MOST_TRACKED) {
    return answered(400, { errors: [{ code: '45002', message: `At most ${MOST_TRACKED} ids.` }] })
  }

  const consignments = await visit.store.listByNumber(visit.accountId, visit.carrier, ids)
  const nowMs = visit.nowMs()
  const results = ids.map((id) => {
    const found = consignments.find(({ consignmentNumber }) => consignmentNumber === id)
    if (!found) return { trackingId: id, errors: [{ code: '45004', message: 'Unknown tracking id.' }] }
    const events = newsBy(nowMs, found, southernPlan(found.request)).map((event) => ({
      eventId: `${id}-${event.id}`,
      code: SCANS[event.step][0],
      description: SCANS[event.step][1],
      date: new Date(event.atMs).toISOString(),
    }))
    return { trackingId: id, events }
  })
  return answered(200, { trackingResults: results })
}

const MOST_TRACKED = 10

const SCANS: Readonly<Record<Step, readonly [code: string, description: string]>> = {
  assigned: ['MAN-0', 'Shipment information received'],
  approaching: ['MAN-1', 'Driver on the way to sender'],
  collected: ['COL-1', 'Picked up from sender'],
  in_transit: ['TRN-1', 'In transit'],
  out_for_delivery: ['ONB-1', 'On board for delivery'],
  delivered: ['DLV-1', 'Delivered'],
  damaged: ['EXC-4', 'Damaged in transit'],
  refused: ['EXC-7', 'Refused by receiver'],
  pending_return: ['RTS-1', 'Returning to sender'],
  returned: ['RTS-9', 'Returned to sender'],
  cancelled: ['CAN-1', 'Shipment deleted'],
}
