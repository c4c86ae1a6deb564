import type { PoolClient } from 'pg'
import type { Account, Store } from '../../domain/account/account.ts'
import { type Clocks, formatWindowAt } from '../../domain/calendar/format-window-at.ts'
import { windowZoneOfDelivery } from '../../domain/calendar/window-zone.ts'
import type { DeliveryContent } from '../../domain/delivery/delivery.ts'
import type { Issue } from '../../domain/errors.ts'
import { distanceKm } from '../../domain/geo/distance.ts'
import { plain } from '../../domain/messages/plain-text.ts'
import { offerEndsMs } from '../../domain/own-network/job.ts'
import { refuse } from '../../domain/refuse.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { createDeliveries, type NewDelivery } from '../../store/deliveries/create-deliveries.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { answerOffer, countOffers, insertOffer } from '../../store/own-couriers/courier-offers.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { driverMessageId, hashOfToken, jobToken } from '../tokens/driver-token.ts'

type Offered = Pick<
  DeliveryRow,
  'account_id' | 'delivery_id' | 'store_id' | 'content' | 'window_from' | 'window_to'
>

/** Creates a delivery and offers it to its courier in one transaction. False: its reference is already used. */
export async function createWithOffer(deps: Deps, entry: AccountEntry, made: NewDelivery): Promise<boolean> {
  return withTransaction(deps.db, async (db) => {
    const created = await createDeliveries(db, [made])
    if (!created.has(made.delivery_id)) return false
    await offerJob(deps, db, entry, made)
    return true
  })
}

/**
 * Offers a delivery, just written in this transaction, to its courier. The earlier offer ends, the driver is on the
 * store's list, and gets an SMS with pickup, delivery and a link. Refuses `invalid_request` for a courier whom the
 * store has deactivated; with `onList`, also for one whom it has removed.
 */
export async function offerJob(
  deps: Deps,
  db: PoolClient,
  { account, nowMs }: AccountEntry,
  row: Offered,
  { onList = false }: { onList?: boolean } = {},
): Promise<void> {
  const { staffCourier } = row.content
  if (!staffCourier) throw new Error(`Delivery ${row.delivery_id} is not for a staff courier.`)
  const now = nowMs()
  await answerOffer(db, row, { outcome: 'withdrawn', reason: null, live: false, atMs: now })
  const eventId = deps.newId('evt')
  const messageId = driverMessageId(eventId)
  const active = await insertOffer(db, {
    accountId: account.id,
    deliveryId: row.delivery_id,
    offer: (await countOffers(db, account.id, row.delivery_id)) + 1,
    storeId: row.store_id,
    ...staffCourier,
    tokenHash: hashOfToken(jobToken(deps.secretKey, account.id, messageId)),
    offeredAtMs: now,
    expiresAtMs: offerEndsMs(account, now),
    courierId: onList ? null : deps.newId('cou'),
    eventId,
    message: { id: messageId, body: offerWords(account, row), notAfterMs: offerEndsMs(account, now) },
  })
  if (!active) refuse([onList ? NOT_THERE : SWITCHED_OFF])
}

const SWITCHED_OFF: Issue = {
  field: 'staff_courier.phone',
  issue: 'not_enabled',
  message:
    'This courier is switched off on the store’s list. Switch them on first, or choose another courier.',
}

const NOT_THERE: Issue = {
  field: 'staff_courier',
  issue: 'not_enabled',
  message:
    'The courier of this delivery is switched off, or no longer on the store’s list. Assign it to another courier first: PATCH …/assign.',
}

/** `Wattle & Co Fitzroy: a job from Fitzroy to Carlton, Tue 24 Nov, 2 – 8 pm, 2.1 km. Take it: {link}` */
function offerWords(account: Account, { store_id, content, window_from, window_to }: Offered): string {
  const store = account.storeById.get(store_id)
  const name = store ? `${store.brand.name} ${store.name}` : account.id
  const ends = toEnds(store?.address.city ?? 'the store', content)
  const when =
    store && window_from !== null && window_to !== null
      ? `, ${formatWindowAt({ fromMs: window_from, toMs: window_to }, toClocks(content, store), 'dated')}`
      : ''
  const far = store ? `, ${distanceKm(store, content.destination).toFixed(1)} km` : ''
  return `${plain(name)}: a job from ${plain(ends.from)} to ${plain(ends.to)}${when}${far}. Take it: {link}`
}

function toClocks(content: DeliveryContent, store: Store): Clocks {
  return { zone: windowZoneOfDelivery(content, store), reader: store.zone.name, nowMs: 0 }
}

function toEnds(
  storeSuburb: string,
  { deliveryMode, address }: DeliveryContent,
): { from: string; to: string } {
  return deliveryMode === 'customer_pickup'
    ? { from: address.city, to: storeSuburb }
    : { from: storeSuburb, to: address.city }
}
