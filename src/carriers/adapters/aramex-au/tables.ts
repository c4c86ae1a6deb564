/** Carrier codes: the merchant's own packaging, or a satchel of theirs by its size. */
export const PARCEL = 'P'
export const SATCHELS = ['300gm', 'A5', 'A4', 'A3', 'A2']

/** `ConTypeId`: pickup at the account's own address, or at the address in the request. */
export const CON_TYPES = { standard: 1, reseller: 5 }

/** No two dimensions of a parcel may exceed it (ShipEngine's guide to Aramex Australia). */
export const MAX_TWO_SIDES_CM = 105

/**
 * Each unit is a label, and each label is one tracking request. Both limits are ours: Aramex publishes no
 * limits.
 */
export const MAX_UNITS = 20
export const TRACK = { batch: 20, everyMinutes: 30, budget: { max: 3, perMs: 60_000 } }
