import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DELIVERY_ACTIONS, whyNot } from '../../../src/domain/delivery/actions/why-not.ts'
import { pathToOutcome } from '../../../src/domain/delivery/outcome-by-hand.ts'
import { isFinal, STATUSES, type Status } from '../../../src/domain/delivery/status.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { actionsOf, factsIn, type Verb } from './actions.ts'

const NOW_MS = Date.parse('2026-11-24T00:00:00Z')
const HELD_BY_CARRIER: readonly Status[] = ['booked', 'assigned', 'approaching']

/** The facts that decide which actions a delivery allows. */
type State = {
  status: Status
  own: boolean
  /** A booking of the delivery got no response. */
  outcomeUnknown: boolean
  purpose: 'cancel' | 'replan' | null
  manifest: Delivery['manifest_status']
  /** On a manifest that its carrier has not confirmed. */
  isBeingSubmitted: boolean
  /** An extra booking was found after Drover had abandoned it. */
  orphan: boolean
  /** Dead-lettered: no worker acts on it any more. */
  deadLettered: boolean
  overdue: boolean
  leftBehind: boolean
}

const BOOLEANS = [false, true]

/** Every combination that can occur. */
function* states(): Generator<State> {
  for (const status of STATUSES)
    for (const own of BOOLEANS)
      for (const outcomeUnknown of BOOLEANS)
        for (const purpose of [null, 'cancel', 'replan'] as const)
          for (const manifest of ['not_required', 'pending', 'ready', 'manifested'] as const)
            for (const orphan of BOOLEANS)
              for (const deadLettered of BOOLEANS)
                for (const overdue of BOOLEANS)
                  for (const leftBehind of BOOLEANS)
                    for (const isBeingSubmitted of BOOLEANS) {
                      const state = {
                        ...{
                          status,
                          own,
                          outcomeUnknown,
                          purpose,
                          manifest,
                          orphan,
                          deadLettered,
                          overdue,
                          leftBehind,
                        },
                        isBeingSubmitted,
                      }
                      if (canOccur(state)) yield state
                    }
}

function canOccur(state: State): boolean {
  const { status, own, outcomeUnknown, purpose, manifest, leftBehind, deadLettered } = state
  const hasLeft = ['collected', 'pending_return', 'reassigned'].includes(status)
  const isAtCarrier = !own && (HELD_BY_CARRIER.includes(status) || hasLeft)
  if (status === 'created') return false
  const isUnresolved = status === 'on_hold' || (status === 'requested' && deadLettered)
  if (outcomeUnknown && (own || !isUnresolved)) return false
  if (purpose !== null && !isAtCarrier && !(outcomeUnknown && purpose === 'cancel')) return false
  if (manifest !== 'not_required' && !isAtCarrier) return false
  if (state.isBeingSubmitted && manifest !== 'pending' && manifest !== 'ready') return false
  return !leftBehind || hasLeft
}

function toDelivery(state: State): Delivery {
  const { status, own, purpose, manifest, orphan, overdue, leftBehind } = state
  const isBooked = !['requested', 'on_hold', 'cancelled'].includes(status)
  return {
    ...{ reference: 'A1', status, manifest_status: manifest },
    ...(own ? { use_staff_couriers: true } : { carrier_provider: 'Swiftly' }),
    ...(isBooked && { consignment_number: 'SW1', label_url: 'http://x/label' }),
    ...(purpose && { pending_cancellation: { at: '2026-11-23T00:00:00.000Z', purpose } }),
    ...(orphan && { attention: 'Uber has an extra booking for this order.' }),
    ...((state.isBeingSubmitted || manifest === 'manifested') && { manifest_id: 'man_1' }),
    ...(state.outcomeUnknown && { booking_attempt: 'unanswered' }),
    ...(leftBehind && { left_behind: [{ reference: 'box', quantity: 1 }] }),
    ...{ parcels: [{ reference: 'box', quantity: 2 }], customer: { phone: '0491 570 156' } },
    to_datetime: overdue ? '2026-11-23T08:00:00Z' : '2026-11-24T08:00:00Z',
  } as unknown as Delivery
}

/**
 * The worst result of an action. The carrier never responds or refuses each cancellation, and no carrier accepts a
 * booking. `null`: at worst nothing changes.
 */
function after(state: State, verb: Verb): State | null {
  const free = {
    ...{ outcomeUnknown: false, purpose: null, manifest: 'not_required' as const, deadLettered: false },
    isBeingSubmitted: false,
  }
  const to = (status: Status, more: Partial<State> = {}): State => ({ ...state, ...free, status, ...more })
  switch (verb) {
    case 'cancel':
      return state.own || !HELD_BY_CARRIER.includes(state.status)
        ? state.outcomeUnknown
          ? state.status === 'requested'
            ? to('on_hold', { outcomeUnknown: true, purpose: 'cancel' })
            : null
          : to('cancelled')
        : null
    case 'assign':
      return to('requested', { own: true })
    case 'settle':
      return state.purpose === 'cancel' ? to('cancelled') : to('requested')
    case 'extra_cancelled':
      return { ...state, orphan: false }
    case 'book':
    case 'retry':
      return to('on_hold', { outcomeUnknown: state.outcomeUnknown })
    case 'delivered':
    case 'returned':
    case 'taken_over': {
      const holder = state.own
        ? ({ by: 'own' } as const)
        : ({ by: 'carrier', isOverdue: state.overdue } as const)
      const found = pathToOutcome(state.status, verb, holder)
      return 'path' in found ? to(found.path.at(-1) as Status, { leftBehind: false }) : null
    }
    default:
      return null
  }
}

type Ways = (state: State) => readonly Verb[]

/** The actions of the portal's bar. */
const byPortal: Ways = (state) =>
  actionsOf(toDelivery(state), NOW_MS).flatMap(({ verb, disabledReason }) =>
    disabledReason === null ? verb : [],
  )

/** The actions that the API accepts: they share this check, and a test on the database verifies it. */
const byApi: Ways = (state) => {
  const facts = factsIn(toDelivery(state), NOW_MS)
  return DELIVERY_ACTIONS.filter((action) => whyNot(action, facts) === null)
}

function reachesEnd(from: State, ways: Ways): boolean {
  const open = [from]
  const seen = new Set([JSON.stringify(from)])
  for (const state of open) {
    // Its extra booking is closed, too: until then a clerk is asked to ring the carrier.
    if (isFinal(state.status) && !state.orphan) return true
    // Time passes: every window ends.
    const next = [{ ...state, overdue: true }, ...ways(state).map((verb) => after(state, verb))]
    for (const one of next) {
      const key = JSON.stringify(one)
      if (one === null || seen.has(key)) continue
      seen.add(key)
      open.push(one)
    }
  }
  return false
}

for (const [who, ways] of [
  ['a clerk', byPortal],
  ['the API', byApi],
] as const)
  test(`${who} can end every delivery, even if its carrier never answers and no worker runs`, () => {
    let count = 0
    for (const state of states()) {
      count += 1
      assert.ok(reachesEnd(state, ways), JSON.stringify(state))
    }
    assert.ok(count > 500, `${count} combinations`)
  })

test('the portal hides no action that ends a delivery', () => {
  const ENDS: readonly Verb[] = ['cancel', 'settle', 'delivered', 'returned', 'taken_over', 'extra_cancelled']
  for (const state of states()) {
    const [portal, allowed] = [byPortal(state), byApi(state)]
    if (!['collected', 'pending_return', 'reassigned'].includes(state.status)) continue
    for (const verb of allowed)
      if (ENDS.includes(verb)) assert.ok(portal.includes(verb), `no ${verb}: ${JSON.stringify(state)}`)
  }
})
