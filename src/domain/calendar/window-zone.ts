import type { Store } from '../account/account.ts'
import type { DeliveryContent } from '../delivery/delivery.ts'
import { getZoneName } from '../geo/states.ts'
import type { State } from '../values.ts'

/** The facts that decide in which zone the window is shown. `store` is the IANA zone of the store. */
export type WindowEnds = {
  mode: string | undefined
  door: { state: State; postCode: string }
  store: string
}

/** The IANA zone in which a delivery's window is shown: that of the address, or of the store when the parcels go there.
 */
export function getWindowZone({ mode, door, store }: WindowEnds): string {
  return mode === 'customer_pickup' ? store : getZoneName(door.state, door.postCode)
}

export function windowZoneOfDelivery(
  { deliveryMode, destination, address }: Pick<DeliveryContent, 'deliveryMode' | 'destination' | 'address'>,
  store: Pick<Store, 'zone'>,
): string {
  const door = { state: destination.state, postCode: address.postCode }
  return getWindowZone({ mode: deliveryMode, door, store: store.zone.name })
}
