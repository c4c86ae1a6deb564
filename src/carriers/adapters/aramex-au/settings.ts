import { z } from 'zod'

export const Settings = z.object({
  /**
   * The account's own address, where Aramex picks up everything, written as in the store; `anywhere`: a
   * reseller's account, where each booking names its address.
   */
  sends_from: z
    .union(
      [
        z.object({
          address: z.string().min(1),
          post_code: z.string().regex(/^[0-9]{4}$/, 'four digits in quotes, such as "3000"'),
        }),
        z.literal('anywhere'),
      ],
      '{ address, post_code }, or anywhere',
    )
    .describe('where Aramex picks up: { address, post_code } as in your account with them, or anywhere'),
  /** The contact for a recipient without a phone number or email address. */
  contact_phone: z.string().min(1).nullable().default(null),
  contact_email: z.email('an email address such as "parcels@example.com"').nullable().default(null),
  /**
   * The names in their `GET /consignment-services` of the two handover options; null: the account's default.
   */
  delivery_options: z
    .object({ service: z.string(), leave: z.string(), signature: z.string() })
    .nullable()
    .default({ service: 'DELOPT', leave: 'ATL', signature: 'SGR' }),
  label_size: z.enum(['4x6', 'A4']).default('4x6'),
  /** How long after a lost response until a listing contains every consignment that was made. */
  settle_ms: z.int().min(1_000).max(600_000).default(30_000),
})
export type Settings = z.output<typeof Settings>

/** Placeholder for a missing address: no job is sent from there. */
export const NOWHERE = { sends_from: { address: 'nowhere', post_code: '0000' } }
