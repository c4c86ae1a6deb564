import type { Account, Service, Store } from '../../../domain/account/account.ts'
import { type Intervals, isOpenAt } from '../../../domain/calendar/intervals.ts'
import { listNext } from '../../../domain/calendar/store-calendar.ts'
import { atLocal, formatDate, formatLocal, localDay, type Zone } from '../../../domain/calendar/zone.ts'
import { Refusal } from '../../../domain/errors.ts'
import { mayUseStore } from '../../../operations/directory/caller.ts'
import { type Endpoint, json, tenantEndpoint, wholeList } from '../../contract/endpoint.ts'
import { StoreAnswer, StoresAnswer } from '../fields/store.ts'

export const STORE_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/stores',
    operationId: 'listStores',
    access: 'deliveries:read',
    tag: 'Stores',
    summary: 'List the stores that the caller may see',
    answers: {
      200: {
        description: 'All stores that the caller may see, in the order of the account document.',
        schema: StoresAnswer,
      },
    },
    refusals: [],
    handle({ entry, caller }) {
      const nowMs = entry.nowMs()
      const stores = entry.account.stores.filter((store) => mayUseStore(caller, store))
      return wholeList(stores.map((store) => fromStore(entry.account, store, nowMs)))
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/stores/:store_id_or_reference',
    operationId: 'getStore',
    access: 'deliveries:read',
    tag: 'Stores',
    summary: 'Get a store, with its hours today, its next closures and its next extra openings',
    answers: { 200: { description: 'The store.', schema: StoreAnswer } },
    refusals: [],
    handle({ entry, caller, params }) {
      const name = params.store_id_or_reference as string
      const store = entry.account.storeById.get(name) ?? entry.account.storeByReference.get(name)
      if (!store || !mayUseStore(caller, store)) throw new Refusal('not_found', `There is no store ${name}.`)
      return json(200, { data: fromStore(entry.account, store, entry.nowMs()) })
    },
  }),
]

/** A store with its hours for the store's local today, without holidays and closures. */
export function fromStore(account: Account, store: Store, nowMs: number): Record<string, unknown> {
  const { address, zone, calendar } = store
  const today = localDay(zone, nowMs)
  return {
    id: store.id,
    reference: store.reference,
    name: store.name,
    account_mode: account.mode,
    brand_id: store.brand.id,
    brand_reference: store.brand.reference,
    address: {
      address: address.address,
      address2: address.address2 ?? undefined,
      city: address.city,
      state: address.state,
      post_code: address.postCode,
      country: address.country,
    },
    phone: store.phone ?? undefined,
    lat: store.lat,
    lng: store.lng,
    time_zone: zone.name,
    modes: [...store.modes],
    buffer_minutes: store.bufferMinutes,
    processing_minutes: store.processingMinutes,
    hours: store.hours,
    labels: { format: store.labels.format, printer: store.labels.printer ?? undefined },
    today: {
      now: formatLocal(zone, nowMs),
      date: formatDate(today),
      trading: rangesOn(calendar.trading, zone, today),
      pickup: rangesOn(calendar.pickup, zone, today),
      open_now: isOpenAt(calendar.trading, nowMs),
    },
    services: account.services.map((service) => fromService(service, zone, today)),
    next_closures: listNext(calendar, 'closures', nowMs, CLOSURES_SHOWN),
    next_openings: listNext(calendar, 'openings', nowMs, CLOSURES_SHOWN),
  }
}

function fromService(service: Service, zone: Zone, today: number) {
  const { timing } = service
  const closes = timing.kind === 'on_day' ? timing.cutOff : timing.lastPickup
  return {
    provider: service.provider,
    carrier: service.carrierName,
    service: service.service,
    carrier_code: service.carrierCode,
    delivery_type: service.type,
    manifest_group: service.manifestGroup ?? undefined,
    separate_dangerous_goods_manifest: service.dangerousGoodsManifestedApart,
    closes_at: closes === null ? undefined : formatLocal(zone, atLocal(zone, today, closes)),
  }
}

/** About one year of public holidays. */
const CLOSURES_SHOWN = 12
const MINUTE_MS = 60_000

function rangesOn({ starts, ends }: Intervals, zone: Zone, day: number): { from: string; to: string }[] {
  const from = atLocal(zone, day, 0) / MINUTE_MS
  const to = atLocal(zone, day + 1, 0) / MINUTE_MS
  const ranges: { from: string; to: string }[] = []
  for (let i = 0; i < starts.length; i++) {
    const start = Math.max(starts[i] as number, from)
    const end = Math.min(ends[i] as number, to)
    if (end > start)
      ranges.push({ from: formatLocal(zone, start * MINUTE_MS), to: formatLocal(zone, end * MINUTE_MS) })
  }
  return ranges
}
