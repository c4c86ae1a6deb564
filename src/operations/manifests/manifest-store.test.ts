import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { book, copies, freight, read } from '../../../test/booked-deliveries.ts'
import { anyone, type Fixture, testFixture, WORLD_SECRET_KEY } from '../../../test/fixture.ts'
import { wholeStore } from '../../../test/manifest-requests.ts'
import { untilIdle } from '../../../test/until-idle.ts'
import { until } from '../../../test/wait-until.ts'
import { composeApp } from '../../bootstrap/composition-root.ts'
import { type SandboxState, sandboxState } from '../../carriers/sandbox/sandbox-state.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Manifest } from '../../domain/manifests/manifest.ts'
import { makeLog } from '../../log.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { sandboxStore } from '../../store/sandbox/sandbox.ts'
import { listSandboxLedger } from '../../store/sandbox/sandbox-ledger.ts'
import { applyAccount, exportAccount } from '../accounts/apply-account.ts'
import { replanDelivery } from '../bookings/replan-delivery.ts'
import type { Deps } from '../deps.ts'
import { getManifest } from './get-manifest.ts'
import { type ManifestRequest, manifestStore } from './manifest-store.ts'
import { claimManifests, processDueManifests } from './process-due-manifests.ts'
import { settleManifest } from './settle-manifest.ts'
import { submitDraft } from './submit-draft.ts'

test('concurrent manifests include each delivery exactly once', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'R-0')
  const manifests: string[] = []
  for (let round = 1; round <= 5; round++) {
    await book(fixture, `R-${round}`)
    const references = [`R-${round}`, ...(await copies(fixture, `R-${round}`, 29))]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, clerk) => {
        const named = clerk % 2 === 0 ? null : references.slice(clerk % 7, 10 + clerk)
        return manifest(fixture, { ...wholeStore, references: named }).catch((error: unknown) => {
          assert.ok(error instanceof Refusal, String(error))
          assert.equal(error.code, 'invalid_request')
          return []
        })
      }),
    )
    answers.push(await manifest(fixture, wholeStore))
    const made = answers.flat()
    const held = made.flatMap(({ deliveries }) => deliveries.map(({ reference }) => reference))
    assert.equal(new Set(held).size, held.length, 'a delivery is on two manifests')
    const expected = round === 1 ? ['R-0', ...references] : references
    assert.deepEqual(held.sort(), expected.sort())
    for (const { manifest } of made) await untilState(fixture, manifest.id, 'submitted')
    manifests.push(...made.map(({ manifest }) => manifest.id))
  }
  assert.deepEqual((await orders(fixture)).sort(), manifests.sort())
})

test('a lost response is found by our reference, with one order at the carrier', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await book(fixture, 'L-lost-answer-manifest')
  const [made] = await manifest(fixture, wholeStore)
  assert.ok(made)
  assert.equal(made.manifest.state, 'submitting')
  assert.equal((await read(fixture, 'L-lost-answer-manifest')).manifestStatus, 'pending')
  assert.deepEqual(await manifest(fixture, wholeStore), [], 'what is being submitted is held')

  fixture.parts.runner.start()
  const submitted = await untilState(fixture, made.manifest.id, 'submitted')
  assert.match(submitted.orderId ?? '', /^SPO/)
  assert.equal((await read(fixture, 'L-lost-answer-manifest')).manifestStatus, 'manifested')
  assert.deepEqual(await ledger(fixture, made.manifest.id), ['manifest lodged', 'find found'])
})

test('a crash between the carrier’s confirmation and the commit leaves one order', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'K-1')
  const dying = await dyingProcess(fixture)
  const entry = await dying.deps.accounts.find('demo')
  assert.ok(entry)
  await assert.rejects(manifestStore(dying.deps, entry, anyone, wholeStore, null))

  const { rows } = await fixture.deps.db.query<{ id: string }>('select manifest_id as id from manifests')
  const [{ id }] = rows as [{ id: string }]
  assert.deepEqual(await ledger(fixture, id), ['manifest lodged'])
  assert.equal((await untilState(fixture, id, 'submitted')).orderId?.slice(0, 3), 'SPO')
  assert.deepEqual(await ledger(fixture, id), ['manifest lodged', 'find found'])
  assert.equal((await read(fixture, 'K-1')).manifestStatus, 'manifested')
})

test('a person resolves a manifest that the carrier cannot look up', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'B-lost-answer-manifest', freight)
  const [made] = await manifest(fixture, wholeStore)
  assert.ok(made)
  const { id } = made.manifest
  const held = await untilState(fixture, id, 'on_hold')
  assert.match(held.stateReason ?? '', /^Big Haul did not answer our manifest /)
  await assert.rejects(submitDraft(fixture.deps, fixture.demo(), anyone, id), {
    code: 'manifest_outcome_unknown',
  })
  const named = { ...wholeStore, references: ['B-lost-answer-manifest'] }
  await assert.rejects(
    manifest(fixture, named),
    ({ issues, details }: Refusal) =>
      issues[0]?.message.includes(id) === true &&
      isDeepStrictEqual(details.on_manifests, [
        { manifest_id: id, delivery_references: ['B-lost-answer-manifest'] },
      ]),
  )
  await untilIdle(fixture.parts.runner)
  assert.deepEqual(await ledger(fixture, id), ['manifest lodged'])

  const settle = (finding: Parameters<typeof settleManifest>[4]) =>
    settleManifest(fixture.deps, fixture.demo(), anyone, id, finding)
  const settled = await settle({ submitted: true, orderId: 'BHM-77', costCents: null })
  assert.deepEqual([settled.manifest.state, settled.manifest.orderId], ['submitted', 'BHM-77'])
  assert.equal((await read(fixture, 'B-lost-answer-manifest')).manifestStatus, 'manifested')
  await assert.rejects(settle({ submitted: false }), { code: 'manifest_outcome_known' })
})

test('if a clerk records that the carrier has no order, the deliveries of the manifest are released', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'N-lost-answer-manifest', freight)
  const [made] = await manifest(fixture, wholeStore)
  assert.ok(made)
  await untilState(fixture, made.manifest.id, 'on_hold')
  await settleManifest(fixture.deps, fixture.demo(), anyone, made.manifest.id, { submitted: false })
  const [again] = await manifest(fixture, { ...wholeStore, submit: false })
  assert.deepEqual(
    again?.deliveries.map(({ reference }) => reference),
    ['N-lost-answer-manifest'],
  )
})

test('a manifest with a booking that the carrier cannot name is refused without a request', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { consignmentNumber } = await book(fixture, 'T-1')
  const deps: Deps = {
    ...fixture.deps,
    carrierOf(entry, provider) {
      const carrier = fixture.deps.carrierOf(entry, provider)
      return carrier?.manifest
        ? { ...carrier, manifest: { ...carrier.manifest, acceptsRef: () => false } }
        : null
    },
  }
  const [made] = await manifestStore(deps, fixture.demo(), anyone, wholeStore, null)
  assert.equal(made?.manifest.state, 'refused')
  assert.match(
    made?.manifest.stateReason ?? '',
    new RegExp(`^Southern.* cannot find these.*: ${consignmentNumber}\\. Create`),
  )
  assert.deepEqual(await ledger(fixture, made.manifest.id), [])
})

test('after an undocumented refusal the look-up decides: its order, or else the refusal', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const cases = [
    ['U-1', { orderId: 'SPO-1', costCents: 890, articles: new Map() }, 'submitted', null],
    ['U-2', null, 'refused', 'E-4711: timeout'],
  ] as const
  for (const [reference, found, state, reason] of cases) {
    await book(fixture, reference)
    let submits = 0
    const deps: Deps = {
      ...fixture.deps,
      carrierOf: () => ({
        recovery: { kind: 'look_up', settleMs: 0 },
        book: async () => assert.fail('nothing is booked here'),
        manifest: {
          async submit() {
            submits++
            return { kind: 'unknown', message: 'E-4711: timeout', ifRepeated: 'nobody' }
          },
          find: async () => ({ kind: 'yes', value: found }),
        },
      }),
    }
    const [made] = await manifestStore(deps, fixture.demo(), anyone, wholeStore, null)
    assert.equal(made?.manifest.state, 'submitting', reference)
    await processDueManifests(deps, await claimManifests(deps, 10))
    const { manifest } = await getManifest(fixture.deps, fixture.demo(), anyone, made.manifest.id)
    assert.deepEqual([manifest.state, manifest.stateReason, submits], [state, reason, 1], reference)
  }
})

test('a carrier’s refusal releases the deliveries, and the manifest may be submitted again', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'J-rejected-manifest')
  const [made] = await manifest(fixture, wholeStore)
  assert.deepEqual([made?.manifest.state, made?.manifest.orderId], ['refused', null])
  assert.match(made?.manifest.stateReason ?? '', /contract/)
  assert.equal((await read(fixture, 'J-rejected-manifest')).manifestStatus, 'pending')
  const again = submitDraft(fixture.deps, fixture.demo(), anyone, made?.manifest.id ?? '')
  await assert.rejects(again, { code: 'manifest_refused' })
})

test('an unavailable carrier is retried, and its deliveries stay on the manifest', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await book(fixture, 'W-down-manifest')
  const [made] = await manifest(fixture, wholeStore)
  assert.ok(made)
  assert.equal(made.manifest.state, 'submitting')
  assert.match(made.manifest.stateReason ?? '', /could not be reached/)
  assert.deepEqual(await manifest(fixture, wholeStore), [])
  const { rows } = await fixture.deps.db.query('select due_at, attempts, submission_state from manifests')
  assert.deepEqual([rows[0].due_at > 0, rows[0].attempts, rows[0].submission_state], [true, 1, null])
})

test('a delivery that moves before submission is neither submitted nor counted', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'G-down-manifest')
  await book(fixture, 'G-2')
  const [made] = await manifest(fixture, wholeStore)
  assert.ok(made)
  assert.deepEqual([made.manifest.state, made.manifest.deliveries], ['submitting', 2])
  await carrierReleased(fixture, 'G-down-manifest')
  const { deliveries, items, id } = await untilState(fixture, made.manifest.id, 'submitted')
  assert.deepEqual([deliveries, items], [1, 1])
  assert.deepEqual(await rowsOf(fixture, id), ['G-2'])
})

test('a manifest that loses all deliveries before submission is refused without a request', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'E-down-manifest')
  const [made] = await manifest(fixture, wholeStore)
  assert.ok(made)
  await carrierReleased(fixture, 'E-down-manifest')
  const refused = await untilState(fixture, made.manifest.id, 'refused')
  assert.deepEqual(
    [refused.stateReason, refused.deliveries],
    ['All of its deliveries have since moved to another carrier.', 0],
  )
  assert.ok(!(await ledger(fixture, refused.id)).includes('manifest lodged'))
})

test('a draft names a delivery that moved to another carrier', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'D-1')
  const [draft] = await manifest(fixture, { ...wholeStore, submit: false })
  assert.ok(draft)
  await fixture.deps.db.query(
    `update deliveries set chosen = (chosen::jsonb || '{"provider": "big_haul", "manifestGroup": "big_haul"}')::json
     where reference = 'D-1'`,
  )
  await assert.rejects(submitDraft(fixture.deps, fixture.demo(), anyone, draft.manifest.id), {
    code: 'deliveries_not_eligible',
  })
})

test('a group of a disabled delivery type takes deliveries that were booked earlier', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'OFF-1')
  const { db, newId } = fixture.deps
  const { document } = await exportAccount({ db }, 'demo')
  const delivery_types = structuredClone(document.delivery_types)
  assert.ok(delivery_types.standard)
  delivery_types.standard.enabled = false
  await applyAccount({ db, newId }, { ...document, delivery_types }, { by: 'test' })
  await fixture.deps.accounts.refresh()
  assert.ok(!fixture.demo().account.deliveryTypes.has('standard'))

  const group = (await read(fixture, 'OFF-1')).chosen?.manifestGroup ?? ''
  const [made] = await manifest(fixture, { ...wholeStore, group })
  assert.deepEqual(
    made?.deliveries.map(({ reference }) => reference),
    ['OFF-1'],
  )
})

test('article ids from the manifest replace the delivery’s', async (t) => {
  const fixture = await testFixture(t)
  const { consignmentNumber } = await book(fixture, 'A-1')
  await fixture.deps.db.query(
    `update sandbox_consignments set answer = replace(answer::text, $1 || '001', 'NEWARTICLE1')::json
     where consignment_number = $1`,
    [consignmentNumber],
  )
  const [made] = await manifest(fixture, wholeStore)
  assert.deepEqual(made?.deliveries[0]?.articleIds, ['NEWARTICLE1'])
  assert.deepEqual((await read(fixture, 'A-1')).articles[0]?.articleIds, ['NEWARTICLE1'])
})

test('a cancelled consignment blocks the manifest and is named', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'C-1')
  const { consignmentNumber } = await book(fixture, 'C-2')
  // Cancelled at the carrier, which hasn't reported it to us.
  await fixture.deps.db.query(
    'update sandbox_consignments set cancelled_at = now() where consignment_number = $1',
    [consignmentNumber],
  )
  const [made] = await manifest(fixture, wholeStore)
  assert.equal(made?.manifest.state, 'refused')
  assert.ok(made?.manifest.stateReason?.includes(consignmentNumber ?? ''))
  const rest = await manifest(fixture, { ...wholeStore, references: ['C-1'] })
  assert.equal(rest[0]?.manifest.state, 'submitted')
})

test('ten thousand deliveries go on one manifest', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'T-0')
  await copies(fixture, 'T-0', 9_999)
  const [made] = await manifest(fixture, wholeStore)
  assert.ok(made)
  const submitted = await untilState(fixture, made.manifest.id, 'submitted')
  assert.deepEqual([submitted.deliveries, submitted.items], [10_000, 10_000])
  assert.deepEqual(await ledger(fixture, submitted.id), ['manifest lodged'])
  assert.equal((await read(fixture, 'T-0-9999')).manifestStatus, 'manifested')
})

function manifest(fixture: Fixture, request: ManifestRequest) {
  return manifestStore(fixture.deps, fixture.demo(), anyone, request, null)
}

function untilState(fixture: Fixture, id: string, state: Manifest['state']): Promise<Manifest> {
  return until(async () => {
    const { manifest } = await getManifest(fixture.deps, fixture.demo(), anyone, id)
    return manifest.state === state && manifest
  }, `${id} is ${state}`)
}

/** The carrier has released it, so it is replanned. */
async function carrierReleased(fixture: Fixture, reference: string): Promise<void> {
  const { id } = await read(fixture, reference)
  const row = await findDelivery(fixture.deps.db, 'demo', id)
  assert.ok(row && (await replanDelivery(fixture.deps, fixture.demo(), row)))
}

async function rowsOf(fixture: Fixture, id: string): Promise<string[]> {
  const { deliveries } = await getManifest(fixture.deps, fixture.demo(), anyone, id)
  return deliveries.map(({ reference, movedToAnotherCarrier }) =>
    movedToAnotherCarrier ? `${reference} gone` : reference,
  )
}

async function ledger(fixture: Fixture, reference: string): Promise<string[]> {
  const rows = await listSandboxLedger(fixture.deps.db, 'demo', { reference, after: 0, limit: 100 })
  return rows.map(({ operation, outcome }) => `${operation} ${outcome}`)
}

/** The manifests that carriers hold an order of, one entry per order. */
async function orders(fixture: Fixture): Promise<string[]> {
  const rows = await listSandboxLedger(fixture.deps.db, 'demo', { reference: null, after: 0, limit: 1_000 })
  return rows.flatMap(({ operation, outcome, reference }) =>
    operation === 'manifest' && outcome === 'lodged' ? [reference] : [],
  )
}

/** A process that loses its database for good the moment the carrier accepts an order. */
async function dyingProcess(fixture: Fixture) {
  const inner = sandboxState({
    store: sandboxStore(fixture.deps.db),
    nowMs: () => fixture.demo().nowMs(),
    secretKey: WORLD_SECRET_KEY,
  })
  const sandbox: SandboxState = {
    async handle(accountId, carrier, request) {
      const response = await inner.handle(accountId, carrier, request)
      if (request.path.endsWith('/orders')) await parts.stop()
      return response
    },
  }
  const parts = composeApp({
    config: { secretKey: WORLD_SECRET_KEY, publicUrl: 'http://drover.test', allowPrivateWebhooks: true },
    databaseUrl: fixture.databaseUrl,
    name: 'dying',
    log: makeLog('silent'),
    leaseMs: 13_000,
    sandbox,
  })
  await parts.start({ work: false })
  return parts
}
