/** A carrier's sub-status as store staff read it; an unknown one is shown by its name. */
const TEXTS: Readonly<Record<string, string>> = {
  pickup_imminent: 'Courier almost at the store',
  arrived_at_pickup: 'Courier at the store',
  in_transit: 'Between depots',
  out_for_delivery: 'With the driver',
  arrived_at_dropoff: 'At the door',
  delayed: 'Delayed',
  held: 'Kept at a depot',
  attempted: 'Delivery attempted, nobody accepted it',
  partly_delivered: 'Some of it delivered',
  damaged: 'Damaged',
  undeliverable: 'Cannot be delivered',
  wrong_address: 'The address is wrong',
  refused: 'Refused at the door',
}

export function formatSubStatus(subStatus: string): string {
  return TEXTS[subStatus] ?? subStatus.replaceAll('_', ' ')
}
