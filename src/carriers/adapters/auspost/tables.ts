const HOST = 'https://digitalapi.auspost.com.au'

/** URLs and credentials, and what the merchant must arrange with Australia Post. */
export const LIVE = {
  urls: { sandbox: { api: `${HOST}/test/shipping/v1` }, production: { api: `${HOST}/shipping/v1` } },
  credentials: ['api_key', 'password'],
  toArrange:
    'Drover does not book pickups. Lodge the parcels, or arrange a regular pickup with Australia Post or StarTrack.',
}

/** Maximum text lengths of the API. */
export const MAX_LENGTH = { name: 40, email: 50, instructions: 128, reference: 50 }

/** Items in an order: one more is refused with 44031. */
export const MAX_IN_ORDER = 2_000

/** ZPL labels in a request: one more is refused with 51008. */
export const MAX_ZPL = 50

/** Items in a shipment, and lines of a street: StarTrack prints only the first two. */
export const NETWORKS = {
  auspost: { items: 20, lines: 3 },
  startrack: { items: 500, lines: 2 },
}

/**
 * Ten requests a minute per key, of ten ids each; one second of margin, because their minute and ours start
 * at different times.
 */
export const TRACK = { ids: 10, budget: { max: 10, perMs: 61_000 } }

/** Jobs that it can't take, as sentences. */
export const TOO_LONG = 'the street does not fit on its labels'
export const TOO_MANY = `it would be more than ${TRACK.ids} shipments, which no one question can follow`

/** Ten shipments, and the duplicates that a lost response may have left. */
export const MAX_LISTED = 50

/** How long we keep a price: the API gives no expiry, and contracts change monthly. */
export const VALID_MS = 10 * 60_000

/** Our parcel types in their terms. */
export const PACKAGING: Readonly<Record<string, string>> = {
  carton: 'CTN',
  crate: 'CTN',
  hanging_bag: 'BAG',
  length: 'ITM',
  pallet: 'PAL',
  satchel: 'SAT',
  skid: 'SKI',
}

/** The parts of a price besides freight. */
export const SURCHARGES = [
  ['fuel', 'fuel_surcharge'],
  ['manual handling', 'manual_handling_surcharge'],
  ['security', 'security_surcharge'],
] as const

/** The addressee must show ID. */
export const IDENTITY = {
  IDENTITY_ON_DELIVERY: { attributes: { id_capture_type: 'addressee', redirection_enabled: false } },
}
