import { can } from '../../../src/domain/delivery/status.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { isToManifest } from '../delivery/actions.ts'

/** The actions that all of these deliveries allow. A manifest belongs to one store. */
export function allowedBy(chosen: readonly Delivery[], storeId: string) {
  const labels = chosen.every((one) => can('label', one))
  const manifest = chosen.every((one) => isToManifest(one) && one.store_id === storeId)
  return {
    printable: labels ? chosen : [],
    manifestable: manifest ? chosen.map(({ id }) => id) : [],
  }
}
