/** What the body of an endpoint may be, asked before any of it is parsed. */
export type BodyLimit = Readonly<{
  bytes: number
  /** Values of JSON, counting every member and element; parameters of a form. */
  values: number
  /** Members of one object; absent: as many as `values`. */
  keys?: number
}>

const KIB = 1024
const MIB = 1024 * KIB

/** More members than any object of ours has; `metadata` takes 50, and whoever sends a few more is told that. */
const MOST_KEYS = 60

/** Of every endpoint that names no other: one thing, without a list. */
export const SMALL_BODY: BodyLimit = { bytes: 16 * KIB, values: 250, keys: 40 }
/** Up to 1,000 references of 100 characters, of four bytes each at most. */
export const REFERENCES_BODY: BodyLimit = { bytes: 512 * KIB, values: 2_500, keys: MOST_KEYS }
/** 200 parcels with dangerous goods and 500 line items: some 8,500 values if each has every field. */
export const GOODS_BODY: BodyLimit = { bytes: MIB, values: 10_000, keys: MOST_KEYS }
/** 10,000 references of 100 characters. */
export const MANIFEST_BODY: BodyLimit = { bytes: MIB, values: 10_250, keys: MOST_KEYS }
/** As many stores to choose from as are named in a mebibyte. */
export const STORES_BODY: BodyLimit = { bytes: MIB, values: 50_000, keys: MOST_KEYS }
/** A driver's photo of 5 MiB as base64, or a signature's strokes. */
export const PROOF_BODY: BodyLimit = { bytes: 7 * MIB, values: 50_000, keys: MOST_KEYS }
/** A secret of 10,000 characters. */
export const SECRET_BODY: BodyLimit = { bytes: 64 * KIB, values: 250, keys: MOST_KEYS }
/** A whole account, from an operator. */
export const ACCOUNT_BODY: BodyLimit = { bytes: MIB, values: 50_000 }
/** What a carrier reports at once: a list of tracking events. */
export const CARRIER_EVENTS_BODY: BodyLimit = { bytes: 64 * KIB, values: 50_000 }
/** A sheet of 5,000 lines. */
export const CSV_BODY: BodyLimit = { bytes: MIB, values: 50_000 }

/** A request costs one more of its caller's limit for each of these. */
const CHARGED_BYTES = 16 * KIB

/** What a body of so many bytes adds to the cost of its request. */
export function costOfBytes(bytes: number): number {
  return Math.floor(bytes / CHARGED_BYTES)
}

/** As people say it: `16 KiB`, `7 MiB`. */
export function sizeWords(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`
}
