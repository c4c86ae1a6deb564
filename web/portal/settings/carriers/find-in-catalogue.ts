import type { CarrierJson, CatalogueCarrier } from './carrier-queries.ts'

/** What the catalogue says about a carrier of the document: StarTrack and Australia Post share an adapter. */
export function findInCatalogue(
  catalogue: readonly CatalogueCarrier[],
  { provider, adapter = provider }: CarrierJson,
): CatalogueCarrier | undefined {
  return (
    catalogue.find((one) => one.id === provider && one.adapter === adapter) ??
    catalogue.find((one) => one.adapter === adapter)
  )
}
