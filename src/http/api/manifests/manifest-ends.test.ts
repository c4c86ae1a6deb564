import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, testApi } from '../../../../test/api.ts'
import { pallet } from '../../../../test/lost-booking.ts'
import { manifestActionsOf } from '../../../../web/portal/manifest/manifest-actions.ts'
import { MANIFEST_ACTIONS, type ManifestAction } from '../../../domain/manifests/manifest-actions.ts'

type TestManifest = { id: string; references: string[] }
type State = (api: Api) => Promise<TestManifest>

let count = 0

/** A draft of two deliveries that are booked. */
const draft =
  (over: object = {}): State =>
  async (api) => {
    const references: string[] = []
    for (let index = 0; index < 2; index++) {
      count += 1
      const reference = `M-${count}`
      const body = deliveryBody({ reference, delivery_type: 'standard', book_delivery_now: true, ...over })
      assert.equal((await api.call('POST /demo/deliveries', { body })).json.data.status, 'booked')
      references.push(reference)
    }
    const { json, text } = await manifest(api, references, false)
    assert.equal(json.data.length, 1, text)
    return { id: json.data[0].id, references }
  }

function manifest({ call }: Api, delivery_references: string[], create_manifest_now = true) {
  return call('POST /demo/store-manifests', {
    body: { store_reference: 'melbourne-cbd', create_manifest_now, delivery_references },
  })
}

/** The state after a submission, which reserves the deliveries. `columns`: SQL. */
const held =
  (columns: string): State =>
  async (api) => {
    const created = await draft()(api)
    const { db } = api.fixture.deps
    await db.query(`update manifests set ${columns} where manifest_id = $1`, [created.id])
    await db.query('update manifest_deliveries set held = true where manifest_id = $1', [created.id])
    await db.query('update deliveries set manifest_id = $1 where reference = any($2)', [
      created.id,
      created.references,
    ])
    return created
  }

const cancelled: State = async (api) => {
  const created = await draft()(api)
  const line = `PATCH /demo/deliveries/${created.references[0]}/request-cancel`
  assert.equal((await api.call(line, { body: { reason: 'Not wanted.' } })).status, 200)
  return created
}

const submitted: State = async (api) => {
  const created = await draft()(api)
  assert.equal((await api.call(`POST /demo/manifests/${created.id}/submit`)).status, 200)
  return created
}

const refused: State = async (api) => {
  const created = await held(`state = 'on_hold', submission_state = 'unknown'`)(api)
  await actions.settle(api, created.id)
  return created
}

const DUE = `state = 'submitting', due_at = now() + interval '1 day'`
const STATES: Readonly<Record<string, State>> = {
  draft: draft(),
  'draft with a cancelled delivery': cancelled,
  'being sent': held(`${DUE}, submission_state = 'sent', lease_until = now() + interval '1 hour'`),
  'carrier not reached': held(`${DUE}, submission_state = null`),
  'never answered, still retried': held(`${DUE}, submission_state = 'unknown'`),
  'its process crashed during the request': held(
    `${DUE}, submission_state = 'sent', lease_until = now() - interval '1 s'`,
  ),
  'on hold': held(`state = 'on_hold', submission_state = 'unknown'`),
  refused,
  'refused, and its deliveries are on another manifest': async (api) => {
    const created = await refused(api)
    assert.equal((await manifest(api, created.references)).status, 201)
    return created
  },
  submitted,
  discarded: async (api) => {
    const created = await draft()(api)
    assert.equal((await actions.discard(api, created.id)).status, 200)
    return created
  },
}

const actions = {
  submit: ({ call }: Api, id: string) => call(`POST /demo/manifests/${id}/submit`),
  settle: ({ call }: Api, id: string) =>
    call(`PATCH /demo/manifests/${id}/settle-submit`, { body: { submitted: false } }),
  discard: ({ call }: Api, id: string) => call(`PATCH /demo/manifests/${id}/discard`),
} satisfies Record<ManifestAction, unknown>

/** A repeated action returns the unchanged manifest. */
const REPEATED: Readonly<Record<string, number>> = {
  'submit submitted': 200,
  'discard discarded': 200,
}
/** A submit waits up to 8 s for a request in progress, and then reports it. */
const WAITS = [
  'being sent',
  'carrier not reached',
  'never answered, still retried',
  'its process crashed during the request',
]

test('the API accepts the manifest actions that the portal offers and rejects the others', async (t) => {
  const api = await testApi(t, { work: false })
  for (const [name, state] of Object.entries(STATES))
    await t.test(name, async () => {
      for (const action of MANIFEST_ACTIONS) {
        if (action === 'submit' && WAITS.includes(name)) continue
        const { id, references } = await state(api)
        const before = (await api.call(`GET /demo/manifests/${id}`)).json.data
        const offers = manifestActionsOf(before)
        const isOpen = offers.some((one) => one.action === action && one.disabledReason === null)
        const { status, json, text } = await actions[action](api, id)
        const answer = `${action}: ${text.slice(0, 300)}`
        if (!isOpen) {
          assert.equal(status, REPEATED[`${action} ${name}`] ?? 409, answer)
          assert.equal((await api.call(`GET /demo/manifests/${id}`)).json.data.updated_at, before.updated_at)
          continue
        }
        assert.equal(status, 200, answer)
        const after = { submit: 'submitted', settle: 'refused', discard: 'discarded' }[action]
        assert.equal(json.data.status, after)
        // Each delivery is submitted with this manifest, or free for another.
        for (const reference of references) {
          const delivery = (await api.call(`GET /demo/deliveries/${reference}`)).json.data
          const expectedManifestId = name.startsWith('refused, and')
            ? undefined
            : action === 'submit'
              ? id
              : null
          if (expectedManifestId !== undefined)
            assert.equal(delivery.manifest_id ?? null, expectedManifestId, answer)
        }
      }
    })
})

test('no answer from the carrier: a person settles the manifest between two attempts, and no worker undoes it', async (t) => {
  const api = await testApi(t, { work: false })
  const { call, fixture } = api
  const { id, references } = await held(`${DUE}, submission_state = 'unknown', fence = 7`)(api)
  const body = { submitted: true, order_id: 'SPO-77' }
  const line = `PATCH /demo/manifests/${id}/settle-submit`
  const answers = await Promise.all([call(line, { body }), call(line, { body })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const { json } = await call(`GET /demo/manifests/${id}`)
  assert.deepEqual([json.data.status, json.data.external_ref.order_id], ['submitted', 'SPO-77'])
  assert.equal((await call(`GET /demo/deliveries/${references[0]}`)).json.data.manifest_status, 'manifested')
  const { rows } = await fixture.deps.db.query('select fence, due_at, lease_until from manifests')
  assert.deepEqual(
    rows,
    [{ fence: 8, due_at: null, lease_until: null }],
    'an older fencing token writes nothing',
  )
})

test('an unreachable carrier: the waiting manifest is discarded, and its deliveries go on a new one', async (t) => {
  const api = await testApi(t, { work: false })
  const { id, references } = await held(`${DUE}, submission_state = null`)(api)
  const both = await Promise.all([actions.discard(api, id), actions.discard(api, id)])
  assert.deepEqual(
    both.map(({ status, json }) => [status, json.data.status]),
    [200, 200].map((status) => [status, 'discarded']),
  )
  const again = await manifest(api, references)
  assert.deepEqual([again.status, again.json.data[0].status], [201, 'submitted'], again.text)
  const { rows } = await api.fixture.deps.db.query(
    `select action, actor, object from audit_log where action = 'discardManifest'`,
  )
  assert.deepEqual(rows, [{ action: 'discardManifest', actor: 'demo-client', object: id }], 'once')
})

test('a draft and a refused manifest name each delivery that can no longer go on them', async (t) => {
  const api = await testApi(t, { work: false })
  const { id, references } = await cancelled(api)
  const { json } = await api.call(`GET /demo/manifests/${id}`)
  assert.deepEqual(
    json.data.manifest_deliveries.map((one: { reference: string; not_eligible?: string }) => [
      one.reference,
      one.not_eligible,
    ]),
    [
      [references[0], 'is cancelled, and only booked deliveries go on a manifest'],
      [references[1], undefined],
    ],
  )
  const listed = (await api.call('GET /demo/manifests')).json.data
  assert.deepEqual(listed, [json.data])
  // Freight with and without dangerous goods shares one manifest, so dangerous goods exclude nothing here.
  const freight = await draft({ parcels: [pallet] })(api)
  assert.deepEqual(
    (await api.call(`GET /demo/manifests/${freight.id}`)).json.data.manifest_deliveries.map(
      (one: { not_eligible?: string }) => one.not_eligible,
    ),
    [undefined, undefined],
  )
})
