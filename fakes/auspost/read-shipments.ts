import type { Account } from './accounts.ts'
import { type ApiError, apiError } from './errors.ts'
import { fieldsOf, listOf } from './fields.ts'
import { missing } from './read-party.ts'
import { readShipment } from './read-shipment.ts'
import type { ShipmentDraft, State } from './state.ts'

/** A body's shipments, and the errors of all of them. */
export function readShipments(account: Account, body: unknown, { whole }: { whole: boolean }) {
  const errors: ApiError[] = []
  const list = listOf(fieldsOf(body)?.shipments)
  if (list.length === 0) errors.push(missing('shipments'))
  const drafts: ShipmentDraft[] = []
  for (const [index, input] of list.entries()) {
    const draft = readShipment(input, { account, field: `shipments[${index}]`, whole }, errors)
    if (draft) drafts.push(draft)
  }
  return { errors, drafts }
}

/** Maximum number of items that wait for an order. */
const BASKET = 10_000

export function basketErrors(
  { shipments }: State,
  account: Account,
  drafts: readonly ShipmentDraft[],
): ApiError[] {
  let count = drafts.reduce((sum, { items }) => sum + items.length, 0)
  for (const { accountNumber, orderId, items } of shipments.values())
    if (orderId === null && accountNumber === account.accountNumber) count += items.length
  const message =
    "Total number of items in your basket can't exceed 10001. To add more, please manifest the items in your basket and start a new request, or delete some of your existing items."
  return count > BASKET ? [apiError('400', { message })] : []
}

/** An article id belongs to one parcel, for ever. */
export function usedArticles({ tracked }: State, drafts: readonly ShipmentDraft[]): ApiError[] {
  return drafts
    .flatMap(({ items }) => items.map(({ tracking }) => tracking?.articleId))
    .filter((id) => id !== undefined && tracked.has(id))
    .map((id) => apiError('44005', { context: { article_id: id! } }))
}
