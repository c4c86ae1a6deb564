import { z } from 'zod'

export const Settings = z.object({
  account_number: z
    .string()
    .regex(/^(?:[0-9]{10}|[0-9]{8})$/, 'ten digits (Australia Post) or eight (StarTrack), in quotes')
    .describe('your account number with them, ten digits (Australia Post) or eight (StarTrack), in quotes'),
  /** Product → the product to book instead if a signature is required; the names depend on the contract. */
  signature_products: z.record(z.string(), z.string()).default({ T28: 'T28S', E34: 'E34S' }),
  transit_cover: z.enum(['declared_value', 'none']).default('declared_value'),
  /** Label group → layout. */
  label_layouts: z
    .record(z.string(), z.string())
    .default({ 'Parcel Post': 'A6-1pp', 'Express Post': 'A6-1pp', StarTrack: 'A6-1pp' }),
  label_branded: z.boolean().default(true),
  label_left_offset: z.number().min(-50).max(50).default(0),
  label_top_offset: z.number().min(-50).max(50).default(0),
  /** How long after a lost response until a look-up sees every shipment that was made. */
  settle_ms: z.int().min(1_000).max(600_000).default(30_000),
})
export type Settings = z.output<typeof Settings>

/** Placeholder for an invalid account number, so that the other settings still apply. */
export const NO_ACCOUNT = { account_number: '0000000000' }
