import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Api, parcel, testApi } from '../../../../test/api.ts'
import { driverApi, ownDelivery, SAM } from '../../../../test/driver.ts'
import { until } from '../../../../test/wait-until.ts'

/** So late that nothing books it during the test. */
const LATER = '2026-11-24T15:00:00+11:00'
const TWO_ROWS = [
  { ...parcel, reference: 'P1', quantity: 3 },
  { ...parcel, reference: 'P2', quantity: 1 },
]

/** Sam took two of P1; one of P1 and P2 stayed. */
async function splitDelivery(t: TestContext) {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const { id } = await ownDelivery(api, SAM, { parcels: TWO_ROWS, reference: 'SR-1' })
  await sam.call(`POST /driver/jobs/${id}/accept`)
  const parcels = [{ reference: 'P1', quantity: 2 }]
  const { status } = await sam.call(`POST /driver/jobs/${id}/collect`, { body: { parcels } })
  assert.equal(status, 200)
  return { api, sam, id }
}

function sendRest(api: Api, id: string, body?: object) {
  return api.call(`POST /demo/deliveries/${id}/send-left-behind`, body ? { body } : {})
}

const counts = ({ parcels }: { parcels: { reference: string; quantity: number }[] }) =>
  parcels.map(({ reference, quantity }) => `${reference} × ${quantity}`)

test('units that the courier left go in a new delivery, and the first keeps the rest', async (t) => {
  const { api, sam, id } = await splitDelivery(t)
  const before = (await api.call(`GET /demo/deliveries/${id}`)).json.data
  assert.deepEqual(before.left_behind, [
    { reference: 'P1', quantity: 1 },
    { reference: 'P2', quantity: 1 },
  ])

  const { status, json, headers } = await sendRest(api, id, { ready_for_pickup_at: LATER })
  assert.equal(status, 201, JSON.stringify(json))
  const rest = json.data
  assert.equal(headers.location, `/demo/deliveries/${rest.id}`)
  assert.deepEqual(counts(rest), ['P1 × 1', 'P2 × 1'])
  assert.deepEqual(
    [rest.reference, rest.status, rest.use_staff_couriers, rest.customer, rest.address],
    ['SR-1-2', 'requested', undefined, before.customer, before.address],
  )
  assert.deepEqual((await api.call(`GET /demo/deliveries/${rest.id}`)).json.data, rest)

  const first = (await api.call(`GET /demo/deliveries/${id}`)).json.data
  assert.deepEqual(counts(first), ['P1 × 2'])
  assert.equal(first.left_behind, undefined)
  assert.deepEqual(first.parcels[0].article_ids, before.parcels[0].article_ids.slice(0, 2))
  const last = (await api.call(`GET /demo/deliveries/${id}/events`)).json.data.at(-1)
  assert.equal(last.type, 'delivery.amended')
  assert.equal(last.detail, 'P1 (1 of 3), P2 go in delivery SR-1-2.')
  const [change] = last.changes
  assert.deepEqual(
    [change.field, counts({ parcels: change.from }), counts({ parcels: change.to })],
    ['parcels', ['P1 × 3', 'P2 × 1'], ['P1 × 2']],
  )
  assert.equal((await sam.call(`GET /driver/jobs/${id}`)).json.data.parcels[0].quantity, 2)

  const again = await sendRest(api, id)
  assert.deepEqual([again.status, again.json.code], [409, 'nothing_left_behind'])
})

test('the rest is sent once, even if two clerks send it at the same moment', async (t) => {
  const { api, id } = await splitDelivery(t)
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      sendRest(api, id, { reference: `REST-${at}`, ready_for_pickup_at: LATER }),
    ),
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 409, 409, 409, 409, 409])
  const { data } = (await api.call('GET /demo/deliveries')).json
  assert.equal(data.length, 2)
})

test('a reference in use or an unknown type leaves the delivery unchanged', async (t) => {
  const { api, id } = await splitDelivery(t)
  const before = (await api.call(`GET /demo/deliveries/${id}`)).json.data
  const duplicate = await sendRest(api, id, { reference: 'SR-1' })
  assert.deepEqual(
    [duplicate.status, duplicate.json.code, duplicate.json.delivery_id],
    [409, 'duplicate_reference', id],
  )
  const wrong = await sendRest(api, id, {
    ready_for_pickup_at: '2031-01-01T00:00:00Z',
    delivery_type: 'rocket',
  })
  assert.equal(wrong.status, 422)
  assert.deepEqual((await api.call(`GET /demo/deliveries/${id}`)).json.data, before)
  const created = await sendRest(api, id, { reference: 'REST', delivery_type: 'standard' })
  assert.deepEqual([created.status, created.json.data.reference], [201, 'REST'])
})

test('sending the rest is rejected if the courier collected everything', async (t) => {
  const { api, sam } = await splitDelivery(t)
  const complete = await ownDelivery(api, SAM, { reference: 'SR-2' })
  await sam.call(`POST /driver/jobs/${complete.id}/accept`)
  await sam.call(`POST /driver/jobs/${complete.id}/collect`, { body: {} })
  assert.equal((await sendRest(api, complete.id)).json.code, 'nothing_left_behind')
})

test('the customer reads how many of their parcels are on the way', async (t) => {
  const { api, id } = await splitDelivery(t)
  type Message = { template: string; kind: string; text: string; status: string }
  const collected = async (): Promise<Message[]> => {
    const { data } = (await api.call(`GET /demo/messages?delivery_id=${id}`)).json
    return data.filter(({ template, status }: Message) => template === 'collected' && status !== 'queued')
  }
  await until(async () => (await collected()).length === 2, 'both messages are sent')
  const [sms] = (await collected()).filter(({ kind }) => kind === 'sms')
  assert.match(sms?.text ?? '', /: 2 of 4 parcels of SR-1 arrive .*, the rest later\. http/)
})
