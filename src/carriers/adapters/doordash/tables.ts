/** Maximum of each per item; above it the whole request fails with a 400. */
export const MOST = { name: 100, externalId: 100, quantity: 100 }
