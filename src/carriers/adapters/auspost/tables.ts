const HOST = 'https://digitalapi.auspost.com.au'

/** How it is reached, and what an account arranges with it by itself. */
export const LIVE = {
  urls: { sandbox: { api: `${HOST}/test/shipping/v1` }, production: { api: `${HOST}/shipping/v1` } },
  credentials: ['api_key', 'password'],
  toArrange:
    'Drover does not book pickups. Lodge the parcels, or arrange a regular pickup with Australia Post or StarTrack.',
}

/** Longest texts that the API takes. */
export const MOST = { name: 40, email: 50, instructions: 128, reference: 50 }

/** Items in an order: one more is refused with 44031. */
export const MOST_IN_ORDER = 2_000

/** ZPL labels in a request: one more is refused with 51008. */
export const MOST_ZPL = 50

/** Items in a shipment, and lines of a street: StarTrack prints the first two only. */
export const NETWORKS = {
  auspost: { items: 20, lines: 3 },
  startrack: { items: 500, lines: 2 },
}

/** Ten requests a minute with a key, of ten ids each; a second of margin, for their minute and ours are not the same. */
export const TRACK = { ids: 10, budget: { most: 10, perMs: 61_000 } }

/** What it cannot take, in sentences. */
export const TOO_LONG = 'the street does not fit on its labels'
export const TOO_MANY = `it would be more than ${TRACK.ids} shipments, which no one question can follow`

/** Ten and the doubles that a lost answer may have left. */
export const MOST_LISTED = 50

/** A price is ours to keep for a while: the API gives it no end, and contracts change by the month. */
export const KEPT_MS = 10 * 60_000

/** Our types of parcels in their words. */
export const PACKAGING: Readonly<Record<string, string>> = {
  carton: 'CTN',
  crate: 'CTN',
  hanging_bag: 'BAG',
  length: 'ITM',
  pallet: 'PAL',
  satchel: 'SAT',
  skid: 'SKI',
}

/** What a price is made of besides the freight. */
export const SURCHARGES = [
  ['fuel', 'fuel_surcharge'],
  ['manual handling', 'manual_handling_surcharge'],
  ['security', 'security_surcharge'],
] as const

/** An addressee shows who he is. */
export const IDENTITY = {
  IDENTITY_ON_DELIVERY: { attributes: { id_capture_type: 'addressee', redirection_enabled: false } },
}
