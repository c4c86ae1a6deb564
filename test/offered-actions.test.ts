import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DELIVERY_ACTIONS, type DeliveryAction } from '../src/domain/delivery/actions/why-not.ts'
import { actionsOf, type Verb } from '../web/portal/delivery/actions.ts'
import { type Api, deliveryBody, parcel, type Reply, testApi } from './api.ts'
import { MIA, ownDelivery } from './driver.ts'
import { extraBooking } from './extra-booking.ts'
import { lostBooking, pallet } from './lost-booking.ts'

const FITZROY = { store_reference: 'fitzroy' }

type Columns = Readonly<Record<string, string | null>>
type State = (api: Api, reference: string) => Promise<string>

/** Creates a delivery in Fitzroy, which has couriers and carriers, then sets these columns of its row, given as SQL. */
const by =
  (over: object, columns: Columns = {}): State =>
  async (api, reference) => {
    const body = deliveryBody({ ...FITZROY, reference, ...over })
    const { status, json, text } = await api.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
    await set(api, json.data.id, columns)
    return json.data.id
  }

const own =
  (columns: Columns = {}): State =>
  async (api, reference) => {
    const { id } = await ownDelivery(api, undefined, { reference, parcels: [{ ...parcel, quantity: 3 }] })
    await set(api, id, columns)
    return id
  }

const lost =
  (columns: Columns): State =>
  async (api, reference) => {
    const { id } = await lostBooking(api, { ...FITZROY, reference, parcels: [pallet] })
    await set(api, id, columns)
    return id
  }

async function set({ fixture }: Api, id: string, columns: Columns): Promise<void> {
  const sets = Object.entries(columns).map(([column, sql]) => `${column} = ${sql}`)
  if (sets.length > 0)
    await fixture.deps.db.query(`update deliveries set ${sets.join(', ')} where delivery_id = $1`, [id])
}

const BOOKED = { book_delivery_now: true, delivery_type: 'standard' }
const VAN = { book_delivery_now: true, delivery_type: 'fast' }
const OWN = { consignment_number: `'OWN1'`, booked_at: 'now()', due_at: 'null' }
const LATE = { window_to: 'created_at', window_from: `created_at - interval '1 hour'` }
const CANCELLING = { cancel_requested_at: 'created_at', cancel_reason: `'Not wanted.'` }
const REPLANNING = { ...CANCELLING, replan_requested: 'true' }
const LEFT_ONE = { articles: `'[{"parcelReference":"P1","articleIds":["A","B","C"],"leftBehind":1}]'` }
const LEFT_ALL = { articles: `'[{"parcelReference":"P1","articleIds":["A","B","C"],"leftBehind":3}]'` }
const DEAD = {
  ...{ status: `'requested'`, due_at: 'null', dead_lettered_at: 'now()', dead_letter_reason: `'Taken out.'` },
}

/** For each guard, a state that it allows and a state that it rejects. */
const STATES: Readonly<Record<string, State>> = {
  requested: by({ delivery_type: 'standard' }),
  'on hold': by({}, { status: `'on_hold'`, due_at: 'null' }),
  'on hold, outcome unknown': lost({}),
  'on hold, outcome unknown, cancellation requested': lost(CANCELLING),
  'dead-lettered': by({}, { due_at: 'null', dead_lettered_at: 'now()', dead_letter_reason: `'Taken out.'` }),
  'dead-lettered, outcome unknown': lost(DEAD),
  'being booked': lost({
    ...DEAD,
    due_at: `now() + interval '1 day'`,
    dead_lettered_at: 'null',
    dead_letter_reason: 'null',
  }),
  'booked, no manifest needed': by(VAN),
  booked: by(BOOKED),
  'booked, late': by(BOOKED, LATE),
  'booked, cancellation pending': by(BOOKED, CANCELLING),
  'booked, cancellation pending for another carrier': by(BOOKED, REPLANNING),
  'booked, on a manifest with an unknown outcome': onManifest('on_hold'),
  'booked, on a draft manifest': onManifest('draft'),
  'booked, manifested': async (api, reference) => {
    const id = await by(BOOKED)(api, reference)
    assert.equal((await manifest(api, reference)).status, 201)
    return id
  },
  'booked, with an extra booking': async (api, reference) => {
    const id = await by(VAN)(api, reference)
    await extraBooking(api, id, `X-${reference}`)
    return id
  },
  'collected by a carrier': by(VAN, { status: `'collected'` }),
  'collected by a carrier, late': by(VAN, { status: `'collected'`, ...LATE }),
  'collected, on no manifest yet': by(BOOKED, { status: `'collected'` }),
  'collected before its cancellation': by(BOOKED, { status: `'collected'`, ...CANCELLING }),
  'on its way back, late': by(VAN, { status: `'pending_return'`, ...LATE }),
  delivered: by(VAN, { status: `'delivered'` }),
  returned: by(VAN, { status: `'returned'` }),
  cancelled: by({}, { status: `'cancelled'`, due_at: 'null' }),
  'own, asked': own(),
  'own, on hold': own({ status: `'on_hold'`, due_at: 'null' }),
  'own, accepted': own({ ...OWN, status: `'booked'` }),
  'own, collected': own({ ...OWN, status: `'collected'` }),
  'own, collected without one parcel': own({ ...OWN, ...LEFT_ONE, status: `'collected'` }),
  'own, collected without any parcel': own({ ...OWN, ...LEFT_ALL, status: `'collected'` }),
  'own, delivered without one parcel': own({ ...OWN, ...LEFT_ONE, status: `'delivered'` }),
  'own, on its way back': own({ ...OWN, status: `'pending_return'` }),
}

function onManifest(state: 'on_hold' | 'draft'): State {
  return async (api, reference) => {
    const id = await by(BOOKED)(api, reference)
    const { json } = await manifest(api, reference, false)
    if (state === 'draft') return id
    const { db } = api.fixture.deps
    const [{ id: manifestId }] = json.data
    await db.query(
      `update manifests set state = 'on_hold', submission_state = 'unknown' where manifest_id = $1`,
      [manifestId],
    )
    await db.query('update manifest_deliveries set held = true where manifest_id = $1', [manifestId])
    await set(api, id, { manifest_id: `'${manifestId}'` })
    return id
  }
}

function manifest({ call }: Api, reference: string, create_manifest_now = true) {
  const body = { ...FITZROY, create_manifest_now, delivery_references: [reference] }
  return call('POST /demo/store-manifests', { body })
}

type Press = (api: Api, id: string, reference: string) => Promise<Reply>
const patch =
  (path: string, body?: object): Press =>
  ({ call }, id) =>
    call(`PATCH /demo/deliveries/${id}/${path}`, body ? { body } : {})
const record = (outcome: string) => patch('record-outcome', { outcome, reason: 'Rang them.' })

/** The request of each button. */
const PRESS: Readonly<Record<DeliveryAction, Press>> = {
  amend: patch('amend', {
    ready_for_pickup_at: '2026-11-24T14:30:00+11:00',
    special_instructions: 'Ring the bell.',
  }),
  assign: patch('assign', { staff_courier: { phone: MIA, driver_name: 'Mia Tran' } }),
  book: patch('book'),
  cancel: patch('request-cancel', { reason: 'Not wanted.' }),
  reassign: patch('reassign', { reason: 'Late.' }),
  settle: patch('settle-booking', { booked: false }),
  manifest: (api, _, reference) => manifest(api, reference),
  print: ({ call }, id) => call(`GET /demo/deliveries/${id}/label`),
  send_rest: ({ call }, id) => call(`POST /demo/deliveries/${id}/send-left-behind`),
  extra_cancelled: (api, id, reference) =>
    patch('settle-extra-booking', {
      consignment_number: `X-${reference}`,
      confirmed_by: 'Priya',
    })(api, id, reference),
  delivered: record('delivered'),
  returned: record('returned'),
  taken_over: record('taken_over'),
}

/** The API accepted the request; a carrier, or all of them, refused or did not respond. */
const BY_CARRIERS = ['cancellation_pending', 'cancel_refused', 'no_service_available']

test('the API accepts each action that the portal offers, and rejects each that it disables', async (t) => {
  const api = await testApi(t, { work: false })
  const { call, fixture } = api
  const nowMs = fixture.demo().nowMs()
  let made = 0
  const make = async (state: State) => {
    made += 1
    const reference = `R-${made}`
    const id = await state(api, reference)
    const { json } = await call(`GET /demo/deliveries/${id}`)
    return { id, reference, delivery: json.data }
  }
  const seen = new Set<string>()
  for (const [name, state] of Object.entries(STATES)) {
    await t.test(name, async () => {
      const offered = actionsOf((await make(state)).delivery, nowMs)
      assert.ok(offered.length > 0)
      for (const { verb, label, disabledReason } of offered) {
        const { id, reference, delivery } = await make(state)
        assert.deepEqual(
          shape(actionsOf(delivery, nowMs)),
          shape(offered),
          'the state is the same when it is read again',
        )
        const { status, json, text } = await PRESS[actionOf(verb)](api, id, reference)
        const answer = `${label}: ${text.slice(0, 300)}`
        seen.add(`${actionOf(verb)} ${disabledReason === null}`)
        if (disabledReason === null) {
          assert.ok(status < 400 || BY_CARRIERS.includes(json?.code), answer)
          continue
        }
        assert.match(disabledReason, /^[A-Z].*\.$/)
        const now = (await call(`GET /demo/deliveries/${id}`)).json.data
        assert.equal(now.updated_at, delivery.updated_at, answer)
        assert.equal(status, REPEATED.includes(`${verb} ${name}`) ? 200 : 409, answer)
      }
    })
  }
  for (const action of DELIVERY_ACTIONS) assert.ok(seen.has(`${action} true`), `${action} is never offered`)
  for (const action of ['amend', 'assign', 'cancel', 'reassign', 'print'])
    assert.ok(seen.has(`${action} false`), `${action} is never disabled`)
})

/** A repeated request returns the delivery unchanged. */
const REPEATED = ['cancel cancelled']

function actionOf(verb: Verb): DeliveryAction {
  return verb === 'retry' ? 'book' : verb
}

function shape(actions: ReturnType<typeof actionsOf>) {
  return actions.map(({ verb, disabledReason }) => [verb, disabledReason === null])
}
