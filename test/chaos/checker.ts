import { type Status, transition } from '../../src/domain/delivery/status.ts'
import type { AccountName } from './account.ts'
import type { Asked } from './history.ts'
import { instructionsOf, type Job } from './jobs.ts'
import type { Deed } from './networks.ts'
import type { Hook, Text } from './parties.ts'

/** All that is known at the end of a run: what clients were told, what the parties outside wrote down, what may be read. */
export type Evidence = {
  jobs: readonly Job[]
  history: readonly Asked[]
  /** Answers that no fault excuses, found as they came. */
  wrong: readonly string[]
  endedByThemselves: readonly string[]
  deliveries: readonly FoundDelivery[]
  manifests: readonly FoundManifest[]
  /** Of the account `chaos`, from its beginning. */
  feed: readonly FeedEvent[]
  messages: readonly FoundMessage[]
  audit: readonly { account: AccountName; action: string; object: string | null }[]
  /** Of all carriers; of each in its order. */
  ledger: readonly Deed[]
  /** Of each receiver, in the order of arrival. */
  hooks: readonly (readonly Hook[])[]
  texts: readonly Text[]
  labels: readonly { reference: string; whole: boolean }[]
}

export type FoundDelivery = {
  account: AccountName
  id: string
  reference: string
  status: Status
  status_reason?: string
  special_instructions?: string
  provider?: string
  consignment_number?: string
  requested_at?: string
  booked_at?: string
  manifest_status: string
  label_url?: string
}
export type FoundManifest = {
  id: string
  status: string
  delivery_ids: string[]
  external_ref: { order_id?: string }
}
export type FeedEvent = {
  id: string
  type: string
  sequence: number
  deliveryId: string
  status: Status | null
  previous: Status | null
}
export type FoundMessage = { id: string; kind: string; template: string; status: string; deliveryId: string }

export type Breach = { promise: PromiseName; says: string }

/** Each promise, and what breaks it: docs/operations/chaos.md says them in the same order. */
const PROMISES = {
  'acknowledged and kept': acknowledgedAndKept,
  'booked once': bookedOnce,
  'handed over once': handedOverOnce,
  'refused and left nothing': refusedAndLeftNothing,
  'one key, one answer': oneKeyOneAnswer,
  'a legal life': aLegalLife,
  'told in order': toldInOrder,
  'texted once': textedOnce,
  'labels whole': ({ labels }) =>
    labels.filter(({ whole }) => !whole).map(({ reference }) => `the label of ${reference} is not whole`),
  'answers as declared': ({ wrong, endedByThemselves }) => [...wrong, ...endedByThemselves],
  'written in the audit log': writtenInTheAuditLog,
  'all comes to an end': allComesToAnEnd,
} as const satisfies Record<string, (evidence: Evidence) => string[]>

export type PromiseName = keyof typeof PROMISES
export const PROMISE_NAMES = Object.keys(PROMISES) as PromiseName[]

/** Holds all of it against each promise; an empty list is a run without a breach. */
export function check(evidence: Evidence): Breach[] {
  return PROMISE_NAMES.flatMap((promise) => PROMISES[promise](evidence).map((says) => ({ promise, says })))
}

const key = (account: AccountName, reference: string) => `${account}/${reference}`

/** Every create that was answered 201 is there under its id, as it was last said to be. */
function acknowledgedAndKept({ jobs, history, deliveries }: Evidence): string[] {
  const found = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const jobOf = new Map(jobs.map((job) => [key(job.account, job.reference), job]))
  const amended = new Set(
    history
      .filter(({ operation, outcome }) => operation === 'amend' && outcome === 'ok')
      .map(({ account, reference }) => key(account, reference)),
  )
  return history.flatMap(({ operation, outcome, account, reference, id }) => {
    if (operation !== 'create' || outcome !== 'ok') return []
    const delivery = found.get(id)
    if (!delivery) return [`${reference} was acknowledged as ${id} and is lost`]
    const job = jobOf.get(key(account, reference))
    const said = job && instructionsOf(job, amended.has(key(account, reference)))
    return delivery.special_instructions === said
      ? []
      : [`${reference} says "${delivery.special_instructions}", and was last acknowledged as "${said}"`]
  })
}

/** Never two bookings of one delivery at carriers at a time, and in the end one where we say so, and none elsewhere. */
function bookedOnce({ deliveries, ledger }: Evidence): string[] {
  const says: string[] = []
  const standing = new Map<string, Map<string, Deed>>()
  for (const deed of ledger) {
    if (deed.what === 'ordered') continue
    const id = deliveryOf(deed.key)
    const name = `${deed.carrier} ${deed.names[0]}`
    const held = standing.get(id) ?? new Map<string, Deed>()
    standing.set(id, held)
    if (deed.what === 'cancelled') for (const all of standing.values()) all.delete(name)
    else held.set(name, deed)
    if (deed.what === 'booked' && held.size > 1)
      says.push(`${id} stood twice: ${[...held.keys()].join(', ')}`)
  }
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  for (const [id, held] of standing) {
    if (held.size > 0 && !known.has(id)) says.push(`${[...held.keys()]} stands for ${id}, which nobody knows`)
  }
  for (const { id, reference, status, provider, consignment_number } of deliveries) {
    const [deed] = [...(standing.get(id)?.values() ?? [])]
    if (isAtCarrier(status) && !deed) says.push(`${reference} is ${status} and stands at no carrier`)
    if (!isAtCarrier(status) && status !== 'cancelled' && deed)
      says.push(`${reference} is ${status} and stands at ${deed.carrier}`)
    if (status === 'cancelled' && deed) says.push(`${reference} is cancelled and stands at ${deed.carrier}`)
    if (!isAtCarrier(status) || !deed) continue
    if (deed.carrier !== provider) says.push(`${reference} stands at ${deed.carrier}, we say ${provider}`)
    // DoorDash's ledger has no number that people know.
    const named = deed.names.some((name) => name.startsWith(consignment_number ?? '-'))
    if (deed.carrier !== 'doordash' && !named)
      says.push(`${reference} is ${consignment_number} with us and ${deed.names} at ${deed.carrier}`)
  }
  return says
}

/** Every shipment is in one order at most, and each order is one manifest of ours. */
function handedOverOnce({ manifests, ledger }: Evidence): string[] {
  const orders = ledger.filter(({ what }) => what === 'ordered')
  const ordered = orders.flatMap(({ parts }) => parts)
  const ours = new Map(manifests.map((manifest) => [manifest.external_ref.order_id ?? '', manifest]))
  const listed = manifests
    .filter(({ status }) => status === 'submitted')
    .flatMap(({ delivery_ids }) => delivery_ids)
  return [
    ...repeated(ordered).map((part) => `shipment ${part} is in two orders`),
    ...repeated(listed).map((id) => `${id} is on two manifests`),
    ...orders.flatMap(({ names: [orderId = ''], key: reference, parts }) => {
      const manifest = ours.get(orderId)
      if (!manifest) return [`order ${orderId} (${reference}) is on no manifest of ours`]
      const count = manifest.delivery_ids.length
      return count === parts.length ? [] : [`order ${orderId} has ${parts.length} shipments, we say ${count}`]
    }),
    ...manifests.flatMap(({ id, status, external_ref: { order_id } }) =>
      status !== 'submitted' || orders.some(({ names }) => names[0] === order_id)
        ? []
        : [`manifest ${id} is submitted as ${order_id}, of which the carrier knows nothing`],
    ),
  ]
}

/** What was asked for wrongly exists nowhere; whose outcome stayed unknown is not excused either. */
function refusedAndLeftNothing({ history, deliveries }: Evidence): string[] {
  const there = new Set(deliveries.map(({ account, reference }) => key(account, reference)))
  return history.flatMap(({ operation, outcome, account, reference, status, code, tries }) => {
    const name = `${operation} ${reference}: ${status} ${code}`
    if (outcome === 'unknown') return [`${name}, unknown after ${tries} tries`]
    if (operation === 'invalid' && outcome === 'ok') return [`${name}, and it was wrong`]
    if (operation === 'invalid' && there.has(key(account, reference))) return [`${name}, and it is there`]
    return []
  })
}

/** The same key has one answer, and a create that was sent again is not refused as its own double. */
function oneKeyOneAnswer({ history }: Evidence): string[] {
  const answers = new Map<string, Set<string>>()
  const says: string[] = []
  for (const asked of history) {
    const { account, operation, reference, outcome, status, code, id } = asked
    if (operation === 'create' && outcome === 'rejected')
      says.push(`create ${reference} was refused: ${status} ${code}`)
    if (operation === 'again' && outcome === 'ok') says.push(`${reference} was made a second time as ${id}`)
    if (asked.key === null || outcome === 'unknown') continue
    const name = `${account} ${asked.key}`
    answers.set(name, (answers.get(name) ?? new Set()).add(`${status} ${id}`))
  }
  for (const [name, given] of answers) {
    if (given.size > 1) says.push(`${name} was answered ${[...given].join(' and ')}`)
  }
  return says
}

/** Every timeline is one walk along the table of statuses, and its instants are in order. */
function aLegalLife({ feed, deliveries }: Evidence): string[] {
  const at = new Map<string, Status>()
  const moves = feed.filter(({ deliveryId, status }) => deliveryId !== '' && status !== null)
  return [
    ...moves.flatMap(({ deliveryId, status, previous }) => {
      const from = at.get(deliveryId) ?? null
      const to = status as Status
      at.set(deliveryId, to)
      if (to === (previous ?? from)) return [] // News that moves nothing.
      const legal = from === null ? previous === null : previous === from && transition(from, to) !== null
      return legal ? [] : [`${deliveryId} went from ${from} to ${to}, told as from ${previous}`]
    }),
    ...deliveries.flatMap(({ reference, requested_at = '', booked_at }) =>
      booked_at === undefined || requested_at <= booked_at
        ? []
        : [`${reference} was booked at ${booked_at}, before it was requested at ${requested_at}`],
    ),
  ]
}

/** Each event of the feed reached each receiver, genuine, and of each delivery in its order without a gap. */
function toldInOrder({ feed, hooks, deliveries }: Evidence): string[] {
  const wanted = new Set(feed.map(({ id }) => id))
  const says = gapsOf(feed).map((gap) => `in the feed ${gap}`)
  const last = new Map(feed.map(({ deliveryId, status }) => [deliveryId, status]))
  for (const { account, id, reference, status } of deliveries) {
    if (account === 'chaos' && last.get(id) !== status)
      says.push(`${reference} is ${status}; the feed says ${last.get(id)}`)
  }
  for (const [index, arrived] of hooks.entries()) {
    const receiver = `receiver ${index + 1}`
    const forged = arrived.filter(({ genuine }) => !genuine)
    if (forged.length > 0) says.push(`${receiver} got ${forged.length} that are not genuine`)
    const taken = new Set(arrived.filter((hook) => hook.taken).map(({ id }) => id))
    const missing = [...wanted].filter((id) => !taken.has(id))
    if (missing.length > 0)
      says.push(`${receiver} never took ${missing.length} events: ${missing.slice(0, 3)}`)
    const first = new Map(arrived.filter((hook) => hook.taken).map((hook) => [hook.id, hook]))
    says.push(...gapsOf([...first.values()]).map((gap) => `at ${receiver} ${gap}`))
  }
  return says
}

/** What does not follow on what came before it, of each delivery. A map keeps the order of first arrivals. */
function gapsOf(events: readonly { deliveryId: string; sequence: number }[]): string[] {
  const at = new Map<string, number>()
  return events.flatMap(({ deliveryId, sequence }) => {
    if (deliveryId === '') return []
    const before = at.get(deliveryId) ?? 0
    at.set(deliveryId, sequence)
    return sequence === before + 1 ? [] : [`${deliveryId} came from ${before} to ${sequence}`]
  })
}

/** A customer hears each thing once: one message for each, and the gateway knows no other id. */
function textedOnce({ messages, texts }: Evidence): string[] {
  const known = new Map(messages.map((message) => [message.id, message]))
  const received = new Set(texts.map(({ key: id }) => id))
  const sms = messages.filter(({ kind, deliveryId }) => kind === 'sms' && deliveryId !== '')
  return [
    ...[...received].flatMap((id) =>
      known.has(id) ? [] : [`the gateway was given ${id}, a message of nobody`],
    ),
    ...repeated(sms.map(({ deliveryId, template }) => `${deliveryId} ${template}`)).map(
      (name) => `two messages were made of ${name}`,
    ),
    ...sms.flatMap(({ id, status, template }) =>
      status === 'sent' && !received.has(id)
        ? [`${template} ${id} is sent, and the gateway never had it`]
        : [],
    ),
  ]
}

const ACTIONS = { create: 'createDelivery', amend: 'amendDelivery', cancel: 'requestCancel' } as const

/** What changed something left its row; a create exactly one, however often it was sent. */
function writtenInTheAuditLog({ history, audit, deliveries }: Evidence): string[] {
  const rows = new Map<string, number>()
  for (const { account, action, object } of audit) {
    const name = `${account} ${action} ${object}`
    rows.set(name, (rows.get(name) ?? 0) + 1)
  }
  const idOf = new Map(deliveries.map(({ account, reference, id }) => [key(account, reference), id]))
  return history.flatMap(({ account, operation, outcome, reference }) => {
    if (outcome !== 'ok' || !(operation in ACTIONS)) return []
    const action = ACTIONS[operation as keyof typeof ACTIONS]
    const count = rows.get(`${account} ${action} ${idOf.get(key(account, reference))}`) ?? 0
    const enough = operation === 'create' ? count === 1 : count >= 1
    return enough ? [] : [`${operation} ${reference} was acknowledged and has ${count} rows`]
  })
}

/** Nothing waits for ever: only carriers' refusals, with a sentence, are left to people. */
function allComesToAnEnd({ deliveries, manifests }: Evidence): string[] {
  return [
    ...deliveries.flatMap(({ reference, status, status_reason }) => {
      if (status === 'requested' || status === 'created')
        return [`${reference} is still ${status}: ${status_reason}`]
      return status === 'on_hold' && !status_reason ? [`${reference} is on hold without a reason`] : []
    }),
    ...manifests.flatMap(({ id, status }) =>
      status === 'submitting' ? [`manifest ${id} is still submitting`] : [],
    ),
  ]
}

const NOT_AT_CARRIER: readonly Status[] = ['created', 'requested', 'on_hold', 'cancelled']

function isAtCarrier(status: Status): boolean {
  return !NOT_AT_CARRIER.includes(status)
}

/** A key is a delivery's id and what tells its attempts apart. */
function deliveryOf(bookingKey: string | null): string {
  return /^dlv_[0-9a-z]+/.exec(bookingKey ?? '')?.[0] ?? `${bookingKey}`
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.has(name) || !seen.add(name))
}
