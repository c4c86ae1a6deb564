import assert from 'node:assert/strict'
import type { Reply } from '../../harness/http.ts'
import { roadOrderOf } from '../../harness/orders.ts'
import {
  type Courier,
  expectAnswer,
  findDelivery,
  type Kind,
  type Model,
  type ModelDelivery,
  PHONES,
  type Real,
} from './model.ts'
import { mayBeCollected, passTime } from './settle.ts'

export type Creation = {
  store: string
  number: number
  kind: Kind
  now: boolean
  keyed: boolean
  /** From now until the delivery is ready for pickup. */
  minutes: number
}

const MINUTE_MS = 60_000

export async function create(model: Model, real: Real, input: Creation): Promise<void> {
  const { store, number, kind, keyed } = input
  const reference = `${real.name}${number}`
  const now = input.now && kind !== 'own'
  const readyMs = model.nowMs + input.minutes * MINUTE_MS
  const body = roadOrderOf(store, reference, {
    ready_for_pickup_at: new Date(readyMs).toISOString(),
    special_instructions: `for ${reference}`,
    book_delivery_now: now,
    ...(kind === 'pickup' ? { delivery_mode: 'customer_pickup' } : {}),
    ...(kind === 'own' ? { delivery_type: undefined, ...toStaffCourier('sam') } : {}),
  })
  const key = `${reference}-${store}-${model.keyed.length}`
  const headers: Record<string, string> = keyed ? { 'idempotency-key': key } : {}
  const reply = await real.ask('POST /demo/deliveries', { body, headers })
  const taken = findDelivery(model, store, reference)
  if (taken) {
    expectAnswer(reply, '409 duplicate_reference')
    assert.equal(reply.json.delivery_id, taken.id)
    // Rejected for its state and not its form: the response is stored under its key as well.
    if (keyed) model.keyed.push({ key, body, message: '409 duplicate_reference', id: taken.id })
    return
  }
  expectAnswer(reply, '201')
  const { id } = reply.json.data
  model.deliveries.push({
    ...{ id, store, reference, kind, instructions: `for ${reference}`, readyMs, courier: 'sam' },
    ...{ status: now ? 'booked' : 'requested', offeredMs: model.nowMs, manifested: false },
  })
  if (keyed) model.keyed.push({ key, body, message: '201', id })
  passTime(model)
}

/** The same key again, with the same request or another. */
export async function comeAgain(model: Model, real: Real, at: number, other: boolean): Promise<void> {
  const used = model.keyed[at % model.keyed.length]
  if (!used) return
  const body = other ? { ...used.body, special_instructions: 'something else' } : used.body
  const reply = await real.ask('POST /demo/deliveries', { body, headers: { 'idempotency-key': used.key } })
  if (other) return expectAnswer(reply, '422 idempotency_key_reused')
  expectAnswer(reply, used.message)
  assert.equal(reply.headers['idempotent-replayed'], 'true')
  assert.equal(reply.json.data?.id ?? reply.json.delivery_id, used.id)
}

export async function book(_: Model, real: Real, delivery: ModelDelivery): Promise<void> {
  const reply = await real.ask(`PATCH /demo/deliveries/${delivery.id}/book`)
  const may = ['requested', 'on_hold'].includes(delivery.status) && delivery.kind !== 'own'
  expectAnswer(reply, may ? '200' : '409 not_bookable')
  if (may) delivery.status = 'booked'
}

export async function cancel(model: Model, real: Real, delivery: ModelDelivery): Promise<void> {
  const reply = await real.ask(`PATCH /demo/deliveries/${delivery.id}/request-cancel`)
  if (['collected', 'delivered'].includes(delivery.status)) return expectAnswer(reply, '409 not_cancellable')
  // Only the carrier knows whether it has collected the delivery.
  const isUnsure = mayBeCollected(model, delivery) || delivery.manifested
  expectAnswer(reply, '200', ...(isUnsure ? ['409 cancel_refused', '409 not_cancellable'] : []))
  if (reply.status === 200) delivery.status = 'cancelled'
  if (reply.status === 200) assert.equal(reply.json.data.status, 'cancelled')
}

export async function amend(
  model: Model,
  real: Real,
  delivery: ModelDelivery,
  instructions: string,
): Promise<void> {
  const body = {
    ready_for_pickup_at: new Date(delivery.readyMs).toISOString(),
    special_instructions: instructions,
  }
  const reply = await real.ask(`PATCH /demo/deliveries/${delivery.id}/amend`, { body })
  if (!['requested', 'on_hold'].includes(delivery.status)) {
    return expectAnswer(reply, '409 delivery_already_consigned', '409 not_amendable')
  }
  expectAnswer(reply, '200')
  Object.assign(delivery, { status: 'requested', instructions, offeredMs: model.nowMs })
  passTime(model)
}

export async function assign(
  model: Model,
  real: Real,
  delivery: ModelDelivery,
  courier: Courier,
): Promise<void> {
  const body = toStaffCourier(courier).staff_courier
  const reply = await real.ask(`PATCH /demo/deliveries/${delivery.id}/assign`, {
    body: { staff_courier: body },
  })
  const may =
    ['requested', 'on_hold'].includes(delivery.status) ||
    (delivery.kind === 'own' && delivery.status === 'assigned')
  if (!may) return expectAnswer(reply, '409 not_assignable')
  expectAnswer(reply, '200')
  Object.assign(delivery, { kind: 'own', status: 'requested', courier, offeredMs: model.nowMs })
}

/** All booked deliveries of a store that are on no manifest. */
export async function handOver(model: Model, real: Real, store: string): Promise<void> {
  const body = { store_reference: store, create_manifest_now: true }
  const reply = await real.ask('POST /demo/store-manifests', { body })
  expectAnswer(reply, '201')
  const listed = new Set(
    reply.json.data.flatMap(({ delivery_ids }: { delivery_ids: string[] }) => delivery_ids),
  )
  for (const delivery of model.deliveries.filter((one) => one.store === store && one.kind !== 'own')) {
    const may = delivery.status === 'booked' && !delivery.manifested
    assert.equal(listed.has(delivery.id), may, `${delivery.reference} is ${may ? 'not ' : ''}on the manifest`)
    if (may) delivery.manifested = true
  }
}

/** A page at a time, newest first: all deliveries of the run, and no other. */
export async function list(model: Model, real: Real, store: string, limit: number): Promise<void> {
  const listed: string[] = []
  let after = ''
  for (;;) {
    const path = `/demo/deliveries?store_reference=${store}&q=${real.name}&limit=${limit}${after}`
    const page: Reply = await real.ask(`GET ${path}`)
    expectAnswer(page, '200')
    const { data, pagination } = page.json
    listed.push(...data.map(({ id }: { id: string }) => id))
    assert.ok(data.length <= limit)
    if (!pagination.has_more) break
    after = `&after=${pagination.next}`
  }
  const made = model.deliveries.filter((one) => one.store === store).map(({ id }) => id)
  assert.deepEqual(listed, made.sort().reverse())
}

/** Ends deliveries of a run that could disturb the next one. */
export async function clear(model: Model, real: Real): Promise<void> {
  for (const { id, status } of model.deliveries) {
    if (['requested', 'on_hold', 'booked', 'assigned'].includes(status)) {
      await real.ask(`PATCH /demo/deliveries/${id}/request-cancel`)
    }
  }
}

function toStaffCourier(courier: Courier) {
  const driver_name = courier === 'sam' ? 'Sam Okafor' : 'Mia Tran'
  return { use_staff_couriers: true, staff_courier: { phone: PHONES[courier], driver_name } }
}
