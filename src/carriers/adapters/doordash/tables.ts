/** The most that an item may have of each; above it the whole request is a 400. */
export const MOST = { name: 100, externalId: 100, quantity: 100 }
