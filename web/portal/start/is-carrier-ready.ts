import type { CarrierCatalogueAnswer } from '../../shared/api.generated.ts'
import type { CarrierJson } from '../settings/carriers/carrier-queries.ts'
import { findInCatalogue } from '../settings/carriers/find-in-catalogue.ts'

/** Whether a carrier can be booked: it has a service, and every credential that it needs is stored. */
export function isCarrierReady(
  carrier: CarrierJson,
  catalogue: CarrierCatalogueAnswer['data'],
  stored: ReadonlySet<string>,
): boolean {
  const needed = findInCatalogue(catalogue, carrier)?.credentials ?? []
  return (
    carrier.services.length > 0 &&
    needed.every(({ name, required }) => !required || stored.has(carrier.credentials?.[name]?.secret ?? ''))
  )
}
