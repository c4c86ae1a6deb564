import type { RequestAddress } from '../delivery/request.ts'
import type { Issue } from '../errors.ts'
import { locate } from '../geo/localities.ts'
import type { Destination } from './job.ts'

type Place = Pick<RequestAddress, 'city' | 'state' | 'postCode' | 'business'>

/** Where an address lies, or what keeps it from being found. Every address is residential unless it says not. */
export function destinationOf(address: Place): { destination: Destination } | { issue: Issue } {
  const found = locate(address)
  if ('message' in found) {
    const issue = found.field === 'state' ? 'invalid_value' : 'unknown_place'
    return { issue: { field: `address.${found.field}`, issue, message: found.message } }
  }
  const { lat, lng, suburb, state, postCode, warning } = found
  return { destination: { lat, lng, suburb, state, postCode, residential: !address.business, warning } }
}
