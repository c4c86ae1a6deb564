import type { Explanation } from '../domain/quoting/explanation.ts'
import { type BookingIntent, listIntents } from '../store/booking-intents.ts'
import { findDecision } from '../store/deliveries.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { type DeliveryName, getDeliveryRow } from './get-delivery.ts'

/** Why this carrier: what was weighed when it was last decided, and what each carrier asked said. */
export type DecisionRecord = {
  explanation: Explanation | null
  attempts: Pick<
    BookingIntent,
    'attempt' | 'key' | 'provider' | 'service' | 'state' | 'said' | 'createdAtMs'
  >[]
}

export async function deliveryDecision(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<DecisionRecord> {
  const { account_id, delivery_id } = await getDeliveryRow(deps, entry, caller, name)
  const [explanation, attempts] = await Promise.all([
    findDecision(deps.db, account_id, delivery_id),
    listIntents(deps.db, account_id, delivery_id),
  ])
  return { explanation: explanation as Explanation | null, attempts }
}
