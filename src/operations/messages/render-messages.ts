import type { Store } from '../../domain/account/account.ts'
import { isProgressTemplate } from '../../domain/messages/message.ts'
import type { MessageText } from '../../domain/messages/message-templates.ts'
import { formatDeliveryMessage, LINK_MARK } from '../../domain/messages/message-text.ts'
import { isLinkPurpose } from '../../domain/people/user-link-message.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import type { Deps } from '../deps.ts'
import { driverCode, jobToken } from '../tokens/driver-token.ts'
import { linkAddress } from '../tokens/link-token.ts'
import { trackingAddress } from '../tokens/tracking-token.ts'
import { userLinkAddress } from '../tokens/user-token.ts'

/** A claimed message with its text (null: the data for it is missing) and the data that it was made from. */
export type RenderedMessage = {
  row: MessageRow
  wording: MessageText | null
  delivery: DeliveryRow | null
  /** Name of the sender. */
  brand: string
  /** Account time. */
  nowMs: number
}

/**
 * Renders each message, unless it was rendered when it was queued or first tried: then it keeps its text. A message
 * that cannot be rendered is left until its lease ends, and does not affect the others.
 */
export async function renderMessages(
  deps: Deps,
  rows: readonly MessageRow[],
  deliveries: ReadonlyMap<string, DeliveryRow>,
): Promise<RenderedMessage[]> {
  const worded = await Promise.all(
    rows.map((row) =>
      word(deps, row, deliveries.get(row.delivery_id ?? '') ?? null).catch((error: unknown) => {
        deps.log.error({ err: error, message_id: row.message_id }, 'a message could not be worded')
        return null
      }),
    ),
  )
  return worded.filter((message) => message !== null)
}

/** The body that is sent: only here are the secrets of URLs and logins filled in. */
export function bodyToSend(
  deps: Pick<Deps, 'secretKey' | 'publicUrl'>,
  row: MessageRow,
  body: string,
): string {
  const { account_id, message_id, link_id, delivery_id } = row
  if (link_id !== null) return body.replaceAll(LINK_MARK, () => linkAddress(deps, account_id, link_id))
  if (isProgressTemplate(row.template) && delivery_id !== null) {
    return body.replaceAll(LINK_MARK, () => trackingAddress(deps, account_id, delivery_id))
  }
  if (row.template === 'driver_offer') {
    const token = jobToken(deps.secretKey, account_id, message_id)
    return body.replaceAll(LINK_MARK, () => `${deps.publicUrl}/driver/jobs/${token}`)
  }
  if (row.template === 'driver_code') {
    return body.replaceAll('{code}', () => driverCode(deps.secretKey, account_id, message_id))
  }
  if (isLinkPurpose(row.template)) {
    return body.replaceAll(LINK_MARK, () => userLinkAddress(deps, account_id, message_id))
  }
  return body
}

async function word(deps: Deps, row: MessageRow, delivery: DeliveryRow | null): Promise<RenderedMessage> {
  const entry = await deps.accounts.find(row.account_id)
  const nowMs = entry?.nowMs() ?? row.created_at
  const store =
    entry?.account.storeById.get(row.store_id ?? '') ?? (delivery && (await retiredStore(deps, delivery)))
  const brand = store?.brand.name ?? entry?.account.name ?? ''
  return { row, delivery, brand, nowMs, wording: getWording(row, delivery, store ?? null, nowMs) }
}

function getWording(
  row: MessageRow,
  delivery: DeliveryRow | null,
  store: Store | null,
  nowMs: number,
): MessageText | null {
  if (row.body !== null) return { subject: row.subject, body: row.body }
  if (!delivery || !store || !isProgressTemplate(row.template)) return null
  const facts = { delivery: toDelivery(delivery), store, nowMs }
  return formatDeliveryMessage(row.kind, row.template, facts)
}

/** A store that was removed from the account is found in the version that the delivery was decided under. */
async function retiredStore(deps: Deps, delivery: DeliveryRow): Promise<Store | null> {
  const account = await deps.accounts.atVersion(delivery.account_id, delivery.account_version)
  return account.storeById.get(delivery.store_id) ?? null
}
