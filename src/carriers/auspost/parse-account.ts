import { z } from 'zod'
import { understood } from '../answer.ts'
import type { Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { readReply } from './refusals.ts'

const Account = z.object({
  account_number: z.string(),
  name: z.string().default(''),
  valid_to: z.string().default(''),
  expired: z.boolean().default(false),
  credit_blocked: z.boolean().default(false),
  postage_products: z.array(z.object({ product_id: z.string() })).default([]),
})
const Suburbs = z.object({ found: z.boolean(), results: z.array(z.string()).default([]) })

/** What we are to them, in a sentence; a contract that is over or blocked is a no. */
export function parseAccount(response: CarrierResponse): Outcome<string> {
  return readReply(response, ({ body }) => {
    const outcome = understood(Account, body, (account) => account)
    if (outcome.kind !== 'yes') return outcome
    const { account_number, name, valid_to, expired, credit_blocked, postage_products } = outcome.value
    const said = `account ${account_number} of ${name || 'no name'}`
    if (expired) return { kind: 'no', cure: 'nobody', said: `the contract of ${said} ended on ${valid_to}` }
    if (credit_blocked) return { kind: 'no', cure: 'nobody', said: `the credit of ${said} is blocked` }
    const products = postage_products.map(({ product_id }) => product_id).join(', ')
    return { kind: 'yes', value: `${said}, with the products ${products || 'none'}` }
  })
}

/** The suburbs that a postcode has, when the one asked for is none of them; else null. */
export function parseSuburbs(response: CarrierResponse): readonly string[] | null {
  const outcome = readReply(response, ({ body }) => understood(Suburbs, body, (suburbs) => suburbs))
  return outcome.kind === 'yes' && !outcome.value.found ? outcome.value.results : null
}
