import assert from 'node:assert/strict'
import { good } from '../../harness/http.ts'
import { orderOf } from '../../harness/orders.ts'
import { expectAnswer, findDelivery, type Model, type ModelLink, type Real } from './model.ts'

const MAX_FAILED_ATTEMPTS = 5
const CLOSED = { revoked: '410 link_revoked', locked: '403 link_locked' } as const

export async function makeLink(model: Model, real: Real, store: string, number: number): Promise<void> {
  const reference = `${real.name}${number}`
  const body = orderOf(store, reference)
  const reply = await real.ask('POST /demo/links', { body })
  if (findDelivery(model, store, reference)) return expectAnswer(reply, '409 duplicate_reference')
  const isOpen = (one: ModelLink) =>
    one.state === 'open' && one.store === store && one.reference === reference
  if (model.links.some(isOpen)) return expectAnswer(reply, '409 duplicate_link')
  expectAnswer(reply, '201')
  const { id, link } = reply.json.data
  const path = `/l/${new URL(link).pathname.split('/').at(-1)}`
  model.links.push({
    ...{ id, path, store, reference },
    ...{ state: 'open', failedAttempts: 0, session: null, deliveryId: null },
  })
}

export async function verify(_: Model, real: Real, link: ModelLink, right: boolean): Promise<void> {
  const body = { reference: right ? link.reference : 'a wrong reference' }
  const reply = await real.ask(`POST ${link.path}/verify`, { token: null, body })
  if (link.state === 'revoked' || link.state === 'locked') return expectAnswer(reply, CLOSED[link.state])
  if (right) {
    expectAnswer(reply, '200')
    link.session = reply.json.data.session
    assert.equal(reply.json.data.status, link.state)
    return
  }
  link.failedAttempts += 1
  const isLocked = link.failedAttempts >= MAX_FAILED_ATTEMPTS
  expectAnswer(reply, isLocked ? '403 link_locked' : '403 reference_mismatch')
  if (isLocked) link.state = 'locked'
}

export async function bookByLink(model: Model, real: Real, link: ModelLink): Promise<void> {
  const reply = await real.ask(`POST ${link.path}/book`, {
    ...{ token: null, body: { delivery_type: 'standard', special_instructions: `for ${link.reference}` } },
    headers: link.session === null ? {} : { 'link-session': link.session },
  })
  if (link.state === 'revoked' || link.state === 'locked') return expectAnswer(reply, CLOSED[link.state])
  if (link.session === null) return expectAnswer(reply, '403 link_not_verified')
  if (link.state === 'booked') return expectAnswer(reply, '200')
  if (findDelivery(model, link.store, link.reference)) return expectAnswer(reply, '409 duplicate_reference')
  expectAnswer(reply, '201')
  const { reference, store } = link
  const [made] = await good(real.ask(`GET /demo/deliveries?store_reference=${store}&reference=${reference}`))
  link.state = 'booked'
  link.deliveryId = made.id
  // Ready at once, and so due at once.
  const readyMs = Date.parse(made.ready_for_pickup_at)
  model.deliveries.push({
    ...{ id: made.id, store, reference, kind: 'carrier', status: 'booked', readyMs, courier: 'sam' },
    ...{ instructions: `for ${reference}`, offeredMs: model.nowMs, manifested: false },
  })
}

export async function revoke(_: Model, real: Real, link: ModelLink): Promise<void> {
  const reply = await real.ask(`DELETE /demo/links/${link.id}`)
  assert.ok(reply.status < 300, `answered ${reply.status}`)
  link.state = 'revoked'
}
