import type { RequestAddress } from '../../delivery/request.ts'
import type { Issue } from '../../errors.ts'
import { addressKindOf } from '../../geo/address-kind.ts'
import { locate } from '../../geo/localities.ts'
import type { Destination } from '../job.ts'

type Place = Pick<RequestAddress, 'address2' | 'city' | 'state' | 'postCode' | 'business'> & {
  address: string | null
}

/** The location of an address, or why it cannot be found. Every address is residential unless it says otherwise. */
export function destinationOf(address: Place): { destination: Destination } | { issue: Issue } {
  const addressKind = addressKindOf(address)
  const found = locate(address, addressKind)
  if ('message' in found) {
    const issue = found.field === 'state' ? 'invalid_value' : 'unknown_place'
    return { issue: { field: `address.${found.field}`, issue, message: found.message } }
  }
  const { lat, lng, suburb, state, postCode, warning, isElsewhere } = found
  const residential = !address.business
  return {
    destination: {
      lat,
      lng,
      suburb,
      state,
      postCode,
      residential,
      addressKind,
      warning,
      ...(isElsewhere && { addressToCheck: true }),
    },
  }
}
