import { z } from 'zod'
import { adapterSettings } from '../../kit/adapter-settings.ts'

export const Settings = z.object({
  /**
   * The account's own address, where all of it is fetched, as the store has it; `anywhere`: it is a reseller's, and each
   * booking says.
   */
  sends_from: z.union(
    [
      z.object({ address: z.string().min(1), post_code: z.string().regex(/^[0-9]{4}$/) }),
      z.literal('anywhere'),
    ],
    'an address and post_code, or anywhere',
  ),
  /** Whom they call or write to about a receiver who gave none. */
  contact_phone: z.string().min(1).nullable().default(null),
  contact_email: z.email().nullable().default(null),
  /** What their `GET /consignment-services` names the two ways of handing over; null: the account's own way. */
  delivery_options: z
    .object({ service: z.string(), leave: z.string(), signature: z.string() })
    .nullable()
    .default({ service: 'DELOPT', leave: 'ATL', signature: 'SGR' }),
  label_size: z.enum(['4x6', 'A4']).default('4x6'),
  /** After an answer that never came, how long until a listing has every consignment that was made. */
  settle_ms: z.int().min(1_000).max(600_000).default(30_000),
})
export type Settings = z.output<typeof Settings>

export const SETTINGS = adapterSettings(Settings)
/** Stands for a place that is not told: nothing is sent from there. */
export const NOWHERE = { sends_from: { address: 'nowhere', post_code: '0000' } }
