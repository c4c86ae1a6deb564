import { findIllegalSteps, findUnended, repeated } from '../../harness/timelines.ts'
import type { Evidence } from '../evidence.ts'

/** Every timeline follows the table of statuses, and its times are in order. */
export function legalTimelines({ feed, deliveries }: Evidence): string[] {
  const steps = feed.flatMap(({ deliveryId, status, previous }) =>
    deliveryId === '' || status === null ? [] : [{ deliveryId, status, previous }],
  )
  return [
    ...findIllegalSteps(steps),
    ...deliveries.flatMap(({ reference, requested_at = '', booked_at }) =>
      booked_at === undefined || requested_at <= booked_at
        ? []
        : [`${reference} was booked at ${booked_at}, before it was requested at ${requested_at}`],
    ),
  ]
}

/** Each receiver got each event of the feed, verified, and each delivery's events in order without a gap. */
export function eventsInOrder({ feed, hooks, deliveries }: Evidence): string[] {
  const wanted = new Set(feed.map(({ id }) => id))
  const violations = gapsOf(feed).map((gap) => `in the feed ${gap}`)
  const last = new Map(feed.map(({ deliveryId, status }) => [deliveryId, status]))
  for (const { account, id, reference, status } of deliveries) {
    if (account === 'chaos' && last.get(id) !== status)
      violations.push(`${reference} is ${status}; the feed says ${last.get(id)}`)
  }
  for (const [index, arrived] of hooks.entries()) {
    const receiver = `receiver ${index + 1}`
    const forged = arrived.filter(({ genuine }) => !genuine)
    if (forged.length > 0) violations.push(`${receiver} got ${forged.length} forged webhooks`)
    const accepted = new Set(arrived.filter((hook) => hook.accepted).map(({ id }) => id))
    const missing = [...wanted].filter((id) => !accepted.has(id))
    if (missing.length > 0)
      violations.push(`${receiver} never accepted ${missing.length} events: ${missing.slice(0, 3)}`)
    const first = new Map(arrived.filter((hook) => hook.accepted).map((hook) => [hook.id, hook]))
    violations.push(...gapsOf([...first.values()]).map((gap) => `at ${receiver} ${gap}`))
  }
  return violations
}

/** A customer gets each message once, and the gateway has no other id. */
export function textedOnce({ messages, texts }: Evidence): string[] {
  const known = new Map(messages.map((message) => [message.id, message]))
  const received = new Set(texts.map(({ id }) => id))
  const sms = messages.filter(({ kind, deliveryId }) => kind === 'sms' && deliveryId !== '')
  return [
    ...[...received].flatMap((id) =>
      known.has(id) ? [] : [`the gateway received ${id}, which is not a message of ours`],
    ),
    ...repeated(sms.map(({ deliveryId, template }) => `${deliveryId} ${template}`)).map(
      (name) => `there are two messages ${name}`,
    ),
    ...sms.flatMap(({ id, status, template }) =>
      status === 'sent' && !received.has(id)
        ? [`${template} ${id} is sent, and the gateway never received it`]
        : [],
    ),
  ]
}

/** Drover's reason for a delivery or manifest that eight workers died over. */
export const DEAD_LETTERED = /^Taken out of the queue/

/** No delivery or manifest waits for ever. Only deliveries that carriers refused, with a reason, are left to clerks. */
export function everyDeliveryEnds({ deliveries, manifests }: Evidence): string[] {
  return [
    ...findUnended(deliveries),
    ...deliveries.flatMap(({ reference, status_reason = '' }) =>
      DEAD_LETTERED.test(status_reason) ? [`${reference} was dead-lettered: ${status_reason}`] : [],
    ),
    ...manifests.flatMap(({ id, status }) =>
      status === 'submitting' ? [`manifest ${id} is still submitting`] : [],
    ),
  ]
}

/** Of each delivery, the events that do not follow from the one before. A map keeps the order of first arrivals. */
function gapsOf(events: readonly { deliveryId: string; sequence: number }[]): string[] {
  const at = new Map<string, number>()
  return events.flatMap(({ deliveryId, sequence }) => {
    if (deliveryId === '') return []
    const before = at.get(deliveryId) ?? 0
    at.set(deliveryId, sequence)
    return sequence === before + 1 ? [] : [`${deliveryId} jumped from ${before} to ${sequence}`]
  })
}
