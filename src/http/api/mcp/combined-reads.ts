import { formatDate, localDay } from '../../../domain/calendar/zone.ts'
import type { TenantRequest } from '../../contract/endpoint.ts'
import { type CarrierLine, listExceptions, type OpenDelivery, type StoreDay } from './exceptions.ts'
import type { Arguments } from './read-endpoint.ts'
import type { Combination } from './tools.ts'

/** Reads an endpoint by its operationId; null if the token may not read it. */
export type Read = (operationId: string, args: Arguments) => Promise<Record<string, unknown> | null>

type Combine = (ask: TenantRequest, args: Arguments, read: Read) => Promise<Record<string, unknown>>

/** As many deliveries as one page of the API has. */
const PAGE = 200

export const COMBINATIONS: Readonly<Record<Combination, Combine>> = {
  async track_delivery(_ask, args, read) {
    const delivery = (await read('getDelivery', args))?.data
    // By its id: another delivery may have the same reference.
    const named = { delivery_id_or_reference: (delivery as { id: string }).id }
    const [timeline, carrierUpdates] = await Promise.all([
      read('listDeliveryEvents', named),
      read('listDeliveryCarrierEvents', named),
    ])
    return { data: delivery, timeline: timeline?.data, carrier_updates: carrierUpdates?.data }
  },

  async day_of_store(ask, args, read) {
    const store = (await read('getStore', args))?.data as StoreDay & { id: string }
    const page = await listOpenOn(ask, read, store.reference)
    const counts: Record<string, number> = {}
    for (const { status } of page.deliveries) counts[status] = (counts[status] ?? 0) + 1
    return { data: store, deliveries_by_status: counts, more_deliveries: page.hasMore }
  },

  async exceptions_today(ask, args, read) {
    const reference = args.store_reference as string | undefined
    const scope = reference === undefined ? {} : { store_reference: reference }
    const [held, returning, today, stores, carriers] = await Promise.all([
      read('listDeliveries', { ...scope, status: 'on_hold', limit: PAGE }),
      read('listDeliveries', { ...scope, status: 'pending_return', limit: PAGE }),
      listOpenOn(ask, read, reference),
      read('listStores', {}),
      read('listCarriers', {}),
    ])
    const pages = [held, returning].map(toPage)
    const deliveries = [...pages.flatMap((page) => page.deliveries), ...today.deliveries]
    const exceptions = listExceptions({
      deliveries: [...new Map(deliveries.map((one) => [one.id, one])).values()],
      stores: (stores?.data ?? []) as StoreDay[],
      carriers: (carriers?.data ?? []) as CarrierLine[],
      nowMs: ask.entry.nowMs(),
    })
    return {
      data: exceptions,
      is_complete: !today.hasMore && pages.every(({ hasMore }) => !hasMore),
      ...(carriers === null ? { not_checked: 'carriers' } : {}),
    }
  },
}

type Page = { deliveries: OpenDelivery[]; hasMore: boolean }

/** The deliveries that concern these stores today, by local time. */
async function listOpenOn(
  { entry }: TenantRequest,
  read: Read,
  reference: string | undefined,
): Promise<Page> {
  const { account } = entry
  const zone = (reference !== undefined && account.storeByReference.get(reference)?.zone) || account.zone
  const on_day = formatDate(localDay(zone, entry.nowMs()))
  const scope = reference === undefined ? {} : { store_reference: reference }
  return toPage(await read('listDeliveries', { ...scope, on_day, limit: PAGE }))
}

function toPage(answer: Record<string, unknown> | null): Page {
  const { data = [], pagination } = (answer ?? {}) as {
    data?: OpenDelivery[]
    pagination?: { has_more: boolean }
  }
  return { deliveries: data, hasMore: pagination?.has_more ?? false }
}
