import { z } from 'zod'
import { carrierWord, entryOf, excerpt, instantMs, jsonOf } from '../answer.ts'
import type { CarrierEvent, CourierPosition, News } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { RETURN_STATUSES, STATUSES } from './statuses.ts'

const Related = z.object({ id: carrierWord, relationship: z.string() })
/** One object in the reference, a list in its samples. */
const RelatedList = z
  .union([z.array(Related), Related.transform((one) => [one])])
  .nullish()
  .catch(null)
const Location = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
const Courier = z
  .object({ name: z.string().nullish().catch(null), location: Location.nullish().catch(null) })
  .nullish()
  .catch(null)
const Data = z
  .object({
    status: z.string().nullish(),
    courier_imminent: z.boolean().nullish().catch(null),
    courier: Courier,
    related_deliveries: RelatedList,
    undeliverable_reason: z.string().nullish().catch(null),
    cancelation_reason: z
      .object({ primary_reason: z.string().nullish(), secondary_reason: z.string().nullish() })
      .nullish()
      .catch(null),
  })
  .nullish()
  .catch(null)
const Told = z.object({
  id: carrierWord,
  kind: z.string(),
  created: instantMs,
  delivery_id: carrierWord,
  status: z.string().nullish(),
  /** Of updates; the courier's own says the same where both are there. */
  location: Location.nullish().catch(null),
  data: Data,
})
type Told = z.output<typeof Told>
const Standing = z.object({
  id: carrierWord,
  status: z.string(),
  courier_imminent: z.boolean().nullish().catch(null),
  updated: instantMs.nullish().catch(null),
})

/** One webhook: a change of status, or where the courier is. A body that is neither counts as unreadable. */
export function parseNews(body: Buffer): News {
  const parsed = Told.safeParse(jsonOf(body))
  if (!parsed.success) return { events: [], positions: [], unreadable: 1 }
  const told = parsed.data
  const positions = positionOf(told)
  // Every 20 seconds: it says nothing that the change of status does not say.
  if (told.kind === 'event.courier_update') return { events: [], positions, unreadable: 0 }
  return { events: [eventOf(told)], positions, unreadable: 0 }
}

/** How a delivery stands that was asked for; `returnId`: the one that brings it back, which knows more. */
export function parseStanding(
  response: CarrierResponse,
  askedAtMs: number,
): { event: CarrierEvent; returnId: string | null } | null {
  if (response.kind !== 'answered' || response.status !== 200) return null
  const stands = Standing.safeParse(response.body)
  if (!stands.success) return null
  const { id, status, courier_imminent, updated } = stands.data
  const imminent = courier_imminent ? ' imminent' : ''
  const told = Told.safeParse({
    id: excerpt(`stands ${id.slice(0, 4)}${status}${imminent}`),
    kind: 'event.delivery_status',
    created: new Date(updated ?? askedAtMs).toISOString(),
    ...{ delivery_id: id, status, data: response.body },
  })
  if (!told.success) return null
  const back = told.data.data?.related_deliveries?.find(({ relationship }) => relationship === 'return')
  return { event: { ...eventOf(told.data), standing: true }, returnId: back?.id ?? null }
}

function eventOf(told: Told): CarrierEvent {
  const status = told.status ?? told.data?.status ?? ''
  const goesBack = originalOf(told) !== told.delivery_id
  const meaning = goesBack ? entryOf(RETURN_STATUSES, status) : meaningOf(told, status)
  return {
    consignmentNumber: originalOf(told),
    eventId: told.id,
    atMs: told.created,
    status: meaning?.status ?? null,
    subStatus: meaning?.subStatus ?? null,
    said: saidBy(told, goesBack && status ? `return ${status}` : status),
    ...(status === 'canceled' && !isOurs(told) ? { letGo: true } : {}),
  }
}

/** Called off by the merchant, here or in Uber's dashboard. */
function isOurs({ data }: Told): boolean {
  return data?.cancelation_reason?.primary_reason?.toUpperCase() === 'CUSTOMER_CANCEL'
}

function meaningOf({ kind, data }: Told, status: string) {
  if (kind !== 'event.delivery_status' && kind !== 'event.delivery_return') return undefined
  // Cancelled after it was collected: another delivery brings it back.
  const cameBack = data?.related_deliveries?.some(({ relationship }) => relationship === 'return')
  if (status === 'canceled' && cameBack) return STATUSES.returned
  return (
    entryOf(STATUSES, data?.courier_imminent ? `${status} imminent` : status) ?? entryOf(STATUSES, status)
  )
}

function saidBy({ kind, data }: Told, status: string): string {
  const reasons = [
    data?.cancelation_reason?.primary_reason,
    data?.cancelation_reason?.secondary_reason,
    data?.undeliverable_reason,
  ].filter(Boolean)
  const what = status || kind
  return excerpt(reasons.length > 0 ? `${what}: ${reasons.join(', ')}` : what)
}

function positionOf(told: Told): CourierPosition[] {
  const { name, location = told.location } = told.data?.courier ?? {}
  if (!location) return []
  const consignmentNumber = originalOf(told)
  return [{ consignmentNumber, atMs: told.created, ...location, courierName: name ? excerpt(name) : null }]
}

/** A way back is a delivery of its own, told apart by its id: `ret_X` brings back `del_X`. */
function originalOf({ delivery_id, data }: Told): string {
  const original = data?.related_deliveries?.find(({ relationship }) => relationship === 'original')?.id
  return original ?? delivery_id.replace(/^ret_/, 'del_')
}
