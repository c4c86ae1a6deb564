import type { Status } from '../../domain/delivery/status.ts'
import { LIFE_MS, type ProgressTemplate, templateFor } from '../../domain/messages/message.ts'
import { instant } from '../db/db.ts'

/** A notification of an event, to both channels. */
export type NewNotification = { eventId: string; template: ProgressTemplate; expiresAtMs: number }

type NotifiedEvent = { eventId: string; to: Status | null; subStatus: string | null }

export function toNotifications(events: readonly NotifiedEvent[], nowMs: number): NewNotification[] {
  return events.flatMap(({ eventId, to, subStatus }) => {
    const template = templateFor(to, subStatus)
    // From now and not from the carrier's own time: a late update is still new to the customer.
    return template ? { eventId, template, expiresAtMs: nowMs + LIFE_MS[template] } : []
  })
}

/** A notification with its change: the number of its row in `changed`, and the trace of the request. */
export type NumberedNotification = NewNotification & { n: number; traceparent: string | null }

/**
 * Transactional outbox: the part of a change statement that writes the customers' messages for its events, from the
 * rows that `changed` returns, numbered by `n`; empty if the events have no message. One row per event and channel,
 * named after both. A booking replaces an unsent message about an earlier one, and is worded as a change for customers
 * who received that. Second: the SQL of a delivery's account and id, where `c` is its row of `changed`.
 */
export function enqueueNotifications(
  notified: readonly NumberedNotification[],
  [accountId, deliveryId]: readonly [accountId: string, deliveryId: string],
  bind: (value: unknown) => string,
): string {
  if (notified.length === 0) return ''
  const column = (pick: (one: NumberedNotification) => unknown) => bind(notified.map(pick))
  const booked = bind(notified.filter(({ template }) => template === 'booked').map(({ n }) => n))
  return `, overtaken as (
    update messages as m set status = 'expired', response_excerpt = 'Superseded: the delivery was booked again.', due_at = null,
      fence = m.fence + 1
    from changed as c
    where m.account_id = ${accountId} and m.delivery_id = ${deliveryId} and c.n = any(${booked}::integer[])
      and m.template in ${OF_BOOKINGS} and m.status = 'queued' and (m.lease_until is null or m.lease_until < now())
  ), announced as (
    insert into messages (account_id, message_id, kind, recipient, template, store_id, delivery_id,
      status, response_excerpt, created_at, expires_at, due_at, traceparent)
    select c.account_id, 'msg_' || substr(e.event_id, 5) || '_' || by.kind, by.kind, by.recipient,
      case when e.template = 'booked' and by.kind in (
        select m.kind from messages as m where m.account_id = ${accountId} and m.delivery_id = ${deliveryId}
          and m.template in ${OF_BOOKINGS} and m.status in ('sent', 'no_channel'))
        then 'rebooked' else e.template end,
      c.store_id, c.delivery_id,
      case when quiet.suppressed then 'suppressed' else 'queued' end,
      case when quiet.suppressed then 'The delivery was created with suppress_notifications.' end,
      c.changed_at, e.expires_at, case when quiet.suppressed then null else c.changed_at end, e.traceparent
    from changed as c
    join unnest(${column(({ n }) => n)}::integer[], ${column(({ eventId }) => eventId)}::text[],
      ${column(({ template }) => template)}::text[], ${column(({ expiresAtMs }) => instant(expiresAtMs))}::timestamptz[],
      ${column(({ traceparent }) => traceparent)}::text[]) as e(n, event_id, template, expires_at, traceparent)
      on e.n = c.n
    cross join lateral (values ('sms', c.content->'customer'->>'phone'), ('email', c.content->'customer'->>'email'))
      as by(kind, recipient)
    cross join lateral (select coalesce((c.content->>'suppressNotifications')::boolean, false) as suppressed) as quiet
    where by.recipient is not null)`
}

const OF_BOOKINGS = `('booked', 'rebooked')`
