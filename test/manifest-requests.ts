import type { ManifestRequest } from '../src/operations/manifests/manifest-store.ts'

/** A manifest of all eligible deliveries of a demo store, submitted at once. */
export const wholeStore: ManifestRequest = {
  storeId: null,
  storeReference: 'melbourne-cbd',
  group: null,
  dangerousGoods: null,
  references: null,
  markReady: false,
  submit: true,
  wantsSummary: false,
}
