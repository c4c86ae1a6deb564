import type { CarrierEvent } from '../carriers/carrier.ts'
import { Refusal } from '../domain/errors.ts'
import { listDeliveriesByConsignment } from '../store/deliveries.ts'
import { takeCarrierNews } from './carrier-news.ts'
import type { Deps } from './deps.ts'

export type CarrierWebhook = {
  accountId: string
  provider: string
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

/**
 * Takes what a carrier reports by webhook. Refuses `not_found` for a carrier that sends none and
 * `unauthorized` for a signature that is not the carrier's; news of consignments that are not ours is left.
 */
export async function receiveCarrierNews(
  deps: Deps,
  { accountId, provider, headers, body }: CarrierWebhook,
): Promise<{ accepted: number; unreadable: number }> {
  const entry = deps.accounts.find(accountId)
  const carrier = entry && deps.carrierOf(accountId, provider)
  if (!entry || !carrier?.readWebhook) throw new Refusal('not_found', 'Nothing is reported here.')
  const news = carrier.readWebhook({ headers, body })
  if (!news) throw new Refusal('unauthorized', 'The signature is not the carrier’s.')

  const byConsignment = Map.groupBy(news.events, ({ consignmentNumber }) => consignmentNumber)
  const deliveries = await listDeliveriesByConsignment(deps.db, accountId, provider, [
    ...byConsignment.keys(),
  ])
  let accepted = 0
  for (const { deliveryId, consignmentNumber } of deliveries) {
    const events: CarrierEvent[] = byConsignment.get(consignmentNumber) ?? []
    await takeCarrierNews(deps, entry, deliveryId, events)
    accepted += events.length
  }
  if (news.unreadable > 0)
    deps.log.warn({ provider, unreadable: news.unreadable }, 'carrier news not understood')
  return { accepted, unreadable: news.unreadable }
}
