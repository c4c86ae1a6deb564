import { isTold, LIFE_MS } from '../domain/messages/message.ts'
import { instant } from './deliveries.ts'
import type { NewEvent } from './events.ts'

/**
 * The part of a change that writes what customers are told of its events, from the row as `changed` answers it;
 * null when they tell customers nothing. One row for each event and channel, named after both.
 */
export function announce(
  events: readonly NewEvent[],
  nowMs: number,
  bind: (value: unknown) => string,
): string | null {
  const told = events.flatMap(({ eventId, to }) => (isTold(to) ? { eventId, template: to } : []))
  if (told.length === 0) return null
  const ids = bind(told.map(({ eventId }) => eventId))
  const templates = bind(told.map(({ template }) => template))
  // From now and not from the carrier's own time: what is learnt late is still news to the customer.
  const ends = bind(told.map(({ template }) => instant(nowMs + LIFE_MS[template])))
  return `insert into messages (account_id, message_id, kind, recipient, template, store_id, delivery_id,
      status, said, created_at, not_after, due_at)
    select c.account_id, 'msg_' || substr(e.event_id, 5) || '_' || by.kind, by.kind, by.recipient, e.template,
      c.store_id, c.delivery_id,
      case when quiet.wished then 'suppressed' else 'queued' end,
      case when quiet.wished then 'The delivery was created with suppress_notifications.' end,
      c.updated_at, e.not_after, case when quiet.wished then null else c.updated_at end
    from changed as c
    cross join unnest(${ids}::text[], ${templates}::text[], ${ends}::timestamptz[]) as e(event_id, template, not_after)
    cross join lateral (values ('sms', c.content->'customer'->>'phone'), ('email', c.content->'customer'->>'email'))
      as by(kind, recipient)
    cross join lateral (select coalesce((c.content->>'suppressNotifications')::boolean, false) as wished) as quiet
    where by.recipient is not null`
}
