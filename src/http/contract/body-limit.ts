/** Limits on an endpoint's request body, checked before it is parsed. */
export type BodyLimit = Readonly<{
  bytes: number
  /** JSON values, counting every member and element; for a form, its parameters. */
  values: number
  /** Members of one object; defaults to `values`. */
  keys?: number
  /** The minimum transfer rate: a longer body gets more time. If absent, the time limit is the same for every length. */
  minBytesPerMs?: number
}>

const KIB = 1024
const MIB = 1024 * KIB

/**
 * More members than any of our objects has. `metadata` takes 50; a few more than that still get the proper error
 * message.
 */
const MAX_KEYS = 60

/** The default: one resource without a list. */
export const SMALL_BODY: BodyLimit = { bytes: 16 * KIB, values: 250, keys: 40 }
/** Up to 1,000 references of 100 characters, of four bytes each at most. */
export const REFERENCES_BODY: BodyLimit = { bytes: 512 * KIB, values: 2_500, keys: MAX_KEYS }
/** 200 parcels with dangerous goods and 500 line items: some 8,500 values if every field of each is set. */
export const GOODS_BODY: BodyLimit = { bytes: MIB, values: 10_000, keys: MAX_KEYS }
/** 10,000 references of 100 characters. */
export const MANIFEST_BODY: BodyLimit = { bytes: MIB, values: 10_250, keys: MAX_KEYS }
/** As many candidate stores as can be named in a mebibyte. */
export const STORES_BODY: BodyLimit = { bytes: MIB, values: 50_000, keys: MAX_KEYS }
/**
 * A driver's photo of 5 MiB as base64, or a signature's strokes. The driver's app gives a slow phone as long: 10 kB a
 * second (`web/driver/post.ts`).
 */
export const PROOF_BODY = {
  bytes: 7 * MIB,
  values: 50_000,
  keys: MAX_KEYS,
  minBytesPerMs: 10,
} as const satisfies BodyLimit
/** A secret of 10,000 characters. */
export const SECRET_BODY: BodyLimit = { bytes: 64 * KIB, values: 250, keys: MAX_KEYS }
/**
 * A whole account, sent by an operator. Twice the size limit of a document (`MAX_DOCUMENT`), because the operator
 * may indent it.
 */
export const ACCOUNT_BODY: BodyLimit = { bytes: 12 * MIB, values: 500_000 }
/** One webhook of a carrier: a list of tracking events. */
export const CARRIER_EVENTS_BODY: BodyLimit = { bytes: 64 * KIB, values: 50_000 }
/** A CSV of 5,000 lines. */
export const CSV_BODY: BodyLimit = { bytes: MIB, values: 50_000 }

/** For messages: `16 KiB`, `7 MiB`. */
export function sizeWords(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`
}
