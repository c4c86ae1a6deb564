import {
  abandonKeyOfDelivery,
  answerKeyOfDelivery,
  type NewDelivery,
} from '../../store/deliveries/create-deliveries.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { bookWithin } from '../bookings/book-now.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { explainLostHold } from '../quoting/lost-promise.ts'
import type { Redemption } from '../quoting/redeem-quote.ts'
import type { Created, CreateOptions } from './create-delivery.ts'

/**
 * Fencing token: a delivery is created with this one. It is not read from the row, because a request that stalled would
 * then get the token of the next lease holder.
 */
const FIRST_FENCE = 1

/**
 * Books a delivery that was just created, under this request's own lease, and stores the response with its key. If that
 * fails (the database is unavailable), a repeat of the request gets the delivery in its current state.
 */
export async function bookCreated(
  deps: Deps,
  entry: AccountEntry,
  made: NewDelivery,
  claimedAtMs: number,
  options: CreateOptions & { redemption: Redemption | null },
): Promise<Created> {
  const { idempotency, redemption } = options
  const key = idempotency && {
    accountId: made.account_id,
    key: idempotency.key,
    deliveryId: made.delivery_id,
  }
  try {
    const row = await findDelivery(deps.db, made.account_id, made.delivery_id)
    if (!row) throw new Error(`Delivery ${made.delivery_id} vanished after its commit.`)
    const delivery = await bookWithin(deps, entry, { ...row, fence: FIRST_FENCE }, claimedAtMs)
    const lost = redemption && (await explainLostHold(deps, redemption, delivery.id))
    const answer = lost && options.refused ? options.refused(lost) : options.answer(delivery)
    if (key) await answerKeyOfDelivery(deps.db, key, answer)
    return { kind: 'created', answer }
  } catch (error) {
    if (key) await abandonKeyOfDelivery(deps.db, key).catch(() => undefined)
    throw error
  }
}
