import { z } from 'zod'
import { carrierWord, entryOf, excerpt, instantMs, jsonOf } from '../answer.ts'
import type { CarrierEvent, CourierPosition, News } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { EVENTS, STANDINGS, WAYS } from './statuses.ts'

const time = instantMs.nullish().catch(null)
const Told = z.object({
  external_delivery_id: carrierWord,
  event_name: z.string().optional(),
  event_type: z.string().optional(),
  dasher_id: z.union([z.number(), z.string()]).nullish().catch(null),
  dasher_name: z.string().nullish().catch(null),
  dasher_location: z
    .object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
    .nullish()
    .catch(null),
  pickup_time_actual: time,
  dropoff_time_actual: time,
  updated_at: time,
  cancellation_reason: z.string().nullish().catch(null),
  reason: z.string().nullish().catch(null),
})
type Told = z.output<typeof Told>

/** One webhook. It carries no id of its own and is sent up to three times: what it says, and by whom, is its id. */
export function parseNews(body: Buffer, receivedMs: number): News {
  const parsed = Told.safeParse(jsonOf(body))
  const name = (parsed.data?.event_name ?? parsed.data?.event_type ?? '').toUpperCase()
  if (!parsed.success || !name) return { events: [], positions: [], unreadable: 1 }
  const told = parsed.data
  const positions = positionOf(told, receivedMs)
  return { events: WAYS.has(name) ? [] : [eventOf(told, name, receivedMs)], positions, unreadable: 0 }
}

/** How a delivery stands that was asked for: the event that would have told it, under its id. */
export function parseStanding(response: CarrierResponse, askedAtMs: number): CarrierEvent[] {
  if (response.kind !== 'answered' || response.status !== 200) return []
  const told = Told.safeParse(response.body)
  const status = z.object({ delivery_status: z.string() }).safeParse(response.body).data?.delivery_status
  const name = status === undefined ? undefined : entryOf(STANDINGS, status)
  if (!told.success || name === undefined) return []
  return [{ ...eventOf(told.data, name, askedAtMs), standing: true }]
}

function eventOf(told: Told, name: string, receivedMs: number): CarrierEvent {
  const meaning = entryOf(EVENTS, name)
  const reason = told.cancellation_reason ?? told.reason
  return {
    consignmentNumber: told.external_delivery_id,
    eventId: `${excerpt(name).slice(0, 60)} ${told.dasher_id ?? ''}`.trim(),
    atMs: timeOf(told, name) ?? receivedMs,
    status: meaning?.status ?? null,
    subStatus: meaning?.subStatus ?? null,
    said: excerpt(reason ? `${name}: ${reason}` : name),
    ...(name === 'DELIVERY_CANCELLED' && reason?.startsWith('failed_to_') ? { letGo: true } : {}),
  }
}

function timeOf(told: Told, name: string): number | null {
  if (name === 'DASHER_PICKED_UP') return told.pickup_time_actual ?? told.updated_at ?? null
  if (name === 'DASHER_DROPPED_OFF') return told.dropoff_time_actual ?? told.updated_at ?? null
  return told.updated_at ?? null
}

function positionOf(told: Told, receivedMs: number): CourierPosition[] {
  if (!told.dasher_location) return []
  return [
    {
      consignmentNumber: told.external_delivery_id,
      atMs: told.updated_at ?? receivedMs,
      ...told.dasher_location,
      courierName: told.dasher_name ? excerpt(told.dasher_name) : null,
    },
  ]
}
