import { z } from 'zod'

export const spentTodayCents = z.int().meta({
  description:
    'What was committed through MCP on the account’s day, in cents incl. GST. It counts towards `assistants.spending_limit_cents_per_day` of the account document.',
})
