import { STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import type { Delivery, DeliveryEvent, Message } from '../../shared/api.generated.ts'
import type { GlyphShape } from '../../shared/glyph.tsx'
import { formatSubStatus } from '../../shared/sub-status-texts.ts'
import { formatDuration } from '../../shared/times.ts'
import { formatPhone } from '../format-phone.ts'
import { describeChanges } from './describe-changes.ts'

/** One line of the history: time, mark, sentence, and actor. */
export type HistoryEntry = {
  key: string
  atMs: number
  hue: string
  shape: GlyphShape
  text: string
  by: string
  /** How late it was received, or that it was received before; null for neither. */
  mark: string | null
}

/** The delivery's own steps and the messages to its customer, in the order in which they happened. */
export function toHistoryEntries(
  delivery: Delivery,
  events: readonly DeliveryEvent[],
  messages: readonly Message[],
): HistoryEntry[] {
  const steps = events
    // The request stands for both: a user never sees a delivery that was created and not yet requested.
    .filter(({ type }) => type !== 'delivery.created')
    .map((event) => ofEvent(delivery, event))
  return [...steps, ...messages.map(ofMessage)].sort((a, b) => a.atMs - b.atMs)
}

function ofEvent(delivery: Delivery, event: DeliveryEvent): HistoryEntry {
  const { id, at, to, source } = event
  const { hue, shape } = to ? STATUS_WORDS[to] : ({ hue: 'wait', shape: 'small-ring' } as const)
  const by = source === 'carrier' ? (delivery.carrier_provider ?? 'Carrier') : BY[source]
  return { key: id, atMs: Date.parse(at), hue, shape, text: textFor(event), by, mark: markOf(event) }
}

/** Updates usually arrive some minutes after the event. */
const LATE_MS = 5 * 60_000

export function markOf({ at, received_at, duplicate }: DeliveryEvent): string | null {
  const lateMs = received_at === undefined ? 0 : Date.parse(received_at) - Date.parse(at)
  const marks = [
    ...(duplicate ? ['sent twice'] : []),
    ...(lateMs >= LATE_MS ? [`received ${formatDuration(lateMs)} later`] : []),
  ]
  return marks.length > 0 ? marks.join(', ') : null
}

function textFor({ type, to, from, sub_status, consignment_number, detail, changes }: DeliveryEvent): string {
  const finer = sub_status ? formatSubStatus(sub_status) : null
  const also = [finer, detail].filter((words) => words).join('. ')
  switch (type) {
    case 'delivery.requested':
      return from === 'created' ? 'Requested' : sentence('Requested again', also)
    case 'delivery.booked':
      return formatBooked(detail, consignment_number)
    case 'delivery.on_hold':
      return sentence('On hold', also)
    case 'delivery.cancelled':
      return sentence('Cancelled', also)
    case 'delivery.amended':
      return sentence('Amended', changes ? describeChanges(changes) : also)
    case 'delivery.exception':
      return sentence('Problem', also)
    default:
      return sentence(to ? STATUS_WORDS[to].clerk : (OTHER[type] ?? type), also)
  }
}

/** The detail is the service, or the sentence of the user who resolved it. */
function formatBooked(detail: string | undefined, consignment: string | undefined): string {
  const number = consignment ? `, consignment ${consignment}` : ''
  if (!detail) return `Booked${number}`
  return detail.endsWith('.') ? `Booked${number}. ${detail}` : `${detail} booked${number}`
}

function sentence(first: string, rest: string): string {
  return rest ? `${first}: ${rest}` : first
}

const OTHER: Readonly<Record<string, string>> = {
  'delivery.status_changed': 'Status changed',
  'delivery.carrier_update': 'Carrier update',
  'staff_courier.assigned': 'Offered to one of your couriers',
  'manifest.created': 'Put on a manifest',
  'manifest.submitted': 'Manifest submitted',
}

const BY: Readonly<Record<DeliveryEvent['source'], string>> = {
  // Its staff in the portal, or its API clients.
  api: 'Your business',
  worker: 'Drover',
  carrier: 'Carrier',
  driver: 'Driver',
  operator: 'Operator',
}

function ofMessage(message: Message): HistoryEntry {
  const { id, kind, to, status, text, subject, reason, template, sent_at, created_at } = message
  const what = `${kind === 'sms' ? 'SMS' : 'Email'} to ${kind === 'sms' ? formatPhone(to) : to}`
  const title = subject ?? text ?? template.replaceAll('_', ' ')
  const why =
    status === 'sent'
      ? ''
      : `, ${UNSENT[status] ?? status}${reason && status !== 'no_channel' ? ` (${reason.replace(/^Not sent: /, '')})` : ''}`
  const atMs = Date.parse(sent_at ?? created_at)
  const words = `${what}${why}: “${title}”`
  return { key: id, atMs, hue: 'wait', shape: 'sheet', text: words, by: 'Drover', mark: null }
}

const UNSENT: Readonly<Record<string, string>> = {
  queued: 'waiting to be sent',
  no_channel: 'not sent because sending isn’t set up',
  failed: 'not sent',
  expired: 'not sent in time',
  suppressed: 'not sent',
}
