import type { Status } from '../../domain/delivery/status.ts'

type Meaning = { status: Status | null; subStatus: string | null }

/** Statuses of a delivery on its way to the customer; `pickup imminent` is `pickup` with `courier_imminent`. */
export const STATUSES: Readonly<Record<string, Meaning>> = {
  pending: { status: null, subStatus: null },
  pickup: { status: 'assigned', subStatus: null },
  'pickup imminent': { status: 'approaching', subStatus: 'pickup_imminent' },
  pickup_complete: { status: 'collected', subStatus: null },
  dropoff: { status: 'collected', subStatus: 'out_for_delivery' },
  'dropoff imminent': { status: 'collected', subStatus: 'arrived_at_dropoff' },
  delivered: { status: 'delivered', subStatus: null },
  canceled: { status: 'cancelled', subStatus: null },
  // "Canceled, and a new delivery was created" for the way back: that one tells when it has arrived.
  returned: { status: 'pending_return', subStatus: null },
}

/** Statuses of the delivery that brings it back: to the merchant it is still the same one. */
export const RETURN_STATUSES: Readonly<Record<string, Meaning>> = {
  pending: { status: 'pending_return', subStatus: null },
  pickup: { status: 'pending_return', subStatus: null },
  pickup_complete: { status: 'pending_return', subStatus: null },
  dropoff: { status: 'pending_return', subStatus: null },
  delivered: { status: 'returned', subStatus: null },
}
