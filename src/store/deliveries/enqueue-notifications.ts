import { LIFE_MS, templateFor } from '../../domain/messages/message.ts'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { instant } from '../db/db.ts'
import type { NewEvent } from './events.ts'

/**
 * Transactional outbox: the part of a change statement that writes the customers' messages for its events, from the row
 * that `changed` returns and `$1`, `$2` name; empty if the events have no message. One row per event and channel, named after both. A
 * booking replaces an unsent message about an earlier one, and is worded as a change for customers who received that.
 */
export function enqueueNotifications(
  events: readonly NewEvent[],
  nowMs: number,
  bind: (value: unknown) => string,
): string {
  const notified = events.flatMap(({ eventId, to, subStatus }) => {
    const template = templateFor(to, subStatus)
    return template ? { eventId, template } : []
  })
  if (notified.length === 0) return ''
  const ids = bind(notified.map(({ eventId }) => eventId))
  const templates = bind(notified.map(({ template }) => template))
  // From now and not from the carrier's own time: a late update is still new to the customer.
  const ends = bind(notified.map(({ template }) => instant(nowMs + LIFE_MS[template])))
  return `, overtaken as (
    update messages as m set status = 'expired', response_excerpt = 'Superseded: the delivery was booked again.', due_at = null
    from changed as c
    where m.account_id = $1 and m.delivery_id = $2 and c.delivery_id = $2 and 'booked' = any(${templates}::text[])
      and m.template in ${OF_BOOKINGS} and m.status = 'queued' and (m.lease_until is null or m.lease_until < now())
  ), announced as (
    insert into messages (account_id, message_id, kind, recipient, template, store_id, delivery_id,
      status, response_excerpt, created_at, expires_at, due_at, traceparent)
    select c.account_id, 'msg_' || substr(e.event_id, 5) || '_' || by.kind, by.kind, by.recipient,
      case when e.template = 'booked' and by.kind in (
        select m.kind from messages as m where m.account_id = $1 and m.delivery_id = $2
          and m.template in ${OF_BOOKINGS} and m.status in ('sent', 'no_channel'))
        then 'rebooked' else e.template end,
      c.store_id, c.delivery_id,
      case when quiet.suppressed then 'suppressed' else 'queued' end,
      case when quiet.suppressed then 'The delivery was created with suppress_notifications.' end,
      c.updated_at, e.expires_at, case when quiet.suppressed then null else c.updated_at end,
      ${bind(currentTraceparent())}::text
    from changed as c
    cross join unnest(${ids}::text[], ${templates}::text[], ${ends}::timestamptz[]) as e(event_id, template, expires_at)
    cross join lateral (values ('sms', c.content->'customer'->>'phone'), ('email', c.content->'customer'->>'email'))
      as by(kind, recipient)
    cross join lateral (select coalesce((c.content->>'suppressNotifications')::boolean, false) as suppressed) as quiet
    where by.recipient is not null)`
}

const OF_BOOKINGS = `('booked', 'rebooked')`
