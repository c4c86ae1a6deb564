import { z } from 'zod'

export const spentTodayCents = z.int().meta({
  description:
    'What the client or assistant has spent through MCP today, in cents incl. GST. The day is that of the account’s time zone. It counts towards `assistants.spending_limit_cents_per_day` of the account document.',
})
