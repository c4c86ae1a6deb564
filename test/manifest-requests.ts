import type { ManifestRequest } from '../src/operations/manifests/manifest-store.ts'

/** All deliveries that a store of the demo may hand over, submitted at once. */
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
