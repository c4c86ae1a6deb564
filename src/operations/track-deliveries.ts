import type { Carrier } from '../carriers/carrier.ts'
import type { DeliveryRow } from '../store/delivery-rows.ts'
import { releaseDelivery } from '../store/due-deliveries.ts'
import type { AccountEntry } from './account-directory.ts'
import { takeCarrierNews } from './carrier-news.ts'
import type { Deps } from './deps.ts'

const MINUTE_MS = 60_000

/**
 * Asks one carrier for news of claimed deliveries, as many at a time as it allows, and sets when to ask next.
 * A carrier that does not answer is asked again at the next turn.
 */
export async function trackDeliveries(
  deps: Deps,
  entry: AccountEntry,
  carrier: Carrier,
  rows: readonly DeliveryRow[],
): Promise<void> {
  const { track } = carrier
  if (!track) {
    await Promise.all(rows.map((row) => releaseDelivery(deps.db, claimKey(row), null)))
    return
  }
  for (let start = 0; start < rows.length; start += track.batch) {
    const batch = rows.slice(start, start + track.batch)
    const outcome = await track.poll(batch.flatMap(({ consignment_number }) => consignment_number ?? []))
    const events = outcome.kind === 'yes' ? outcome.value.events : []
    const byConsignment = Map.groupBy(events, ({ consignmentNumber }) => consignmentNumber)
    await Promise.all(
      batch.map(async (row) => {
        const news = byConsignment.get(row.consignment_number ?? '') ?? []
        const after = news.length > 0 ? await takeCarrierNews(deps, entry, row.delivery_id, news) : row
        const nextMs = after?.due_at === null ? null : entry.nowMs() + track.everyMinutes * MINUTE_MS
        await releaseDelivery(deps.db, claimKey(row), nextMs)
      }),
    )
  }
}

function claimKey(row: DeliveryRow) {
  return { accountId: row.account_id, deliveryId: row.delivery_id, fence: row.fence }
}
