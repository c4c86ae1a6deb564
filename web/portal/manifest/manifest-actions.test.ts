import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MANIFEST_STATES } from '../../../src/domain/manifests/manifest.ts'
import {
  MANIFEST_ACTIONS,
  type ManifestAction,
  type ManifestFacts,
  whyNotManifest,
} from '../../../src/domain/manifests/manifest-actions.ts'
import type { Manifest } from '../../shared/api.generated.ts'
import { formatDiscard, manifestActionsOf, manifestFactsIn } from './manifest-actions.ts'

/** Every combination that can occur. */
function* states(): Generator<ManifestFacts> {
  for (const state of MANIFEST_STATES)
    for (const attempt of [null, 'in_progress', 'waiting', 'unanswered'] as const)
      for (const hasIneligible of [false, true]) {
        if (
          state === 'submitting' ? attempt === null : attempt !== (state === 'on_hold' ? 'unanswered' : null)
        )
          continue
        // A delivery on a manifest cannot go on another; only drafts and refused ones hold none.
        if (hasIneligible && state !== 'draft' && state !== 'refused') continue
        yield { state, attempt, hasIneligible }
      }
}

function toManifest({ state, attempt, hasIneligible }: ManifestFacts): Manifest {
  return {
    status: state,
    ...(attempt && { submit_attempt: attempt }),
    manifest_deliveries: [
      { reference: 'A1', ...(hasIneligible && { not_eligible: 'is cancelled' }) },
      { reference: 'A2' },
    ],
  } as unknown as Manifest
}

/** The worst result of an action: the carrier refuses, or never responds, and each parcel is cancelled meanwhile. */
const AFTER: Readonly<Record<ManifestAction, readonly ManifestFacts[]>> = {
  submit: [
    { state: 'submitting', attempt: 'in_progress', hasIneligible: false },
    { state: 'refused', attempt: null, hasIneligible: true },
  ],
  settle: [{ state: 'refused', attempt: null, hasIneligible: true }],
  discard: [{ state: 'discarded', attempt: null, hasIneligible: false }],
}
/** A request to a carrier ends, or its lease does. No worker runs: nothing is retried. */
const AFTER_REQUEST = (['waiting', 'unanswered'] as const).map(
  (attempt): ManifestFacts => ({ state: 'submitting', attempt, hasIneligible: false }),
)

type Ways = (facts: ManifestFacts) => readonly ManifestAction[]
const byApi: Ways = (facts) => MANIFEST_ACTIONS.filter((action) => whyNotManifest(action, facts) === null)
const byPortal: Ways = (facts) =>
  manifestActionsOf(toManifest(facts)).flatMap(({ action, disabledReason }) =>
    disabledReason === null ? action : [],
  )

/** Whether one of the actions ends it whatever the carrier does: each result of that action must end, too. */
function canBeEnded(facts: ManifestFacts, ways: Ways, depth = 4): boolean {
  if (facts.state === 'submitted' || facts.state === 'discarded') return true
  if (depth === 0) return false
  if (facts.attempt === 'in_progress') return AFTER_REQUEST.every((next) => canBeEnded(next, ways, depth - 1))
  return ways(facts).some((way) => AFTER[way].every((next) => canBeEnded(next, ways, depth - 1)))
}

for (const [who, ways] of [
  ['a clerk', byPortal],
  ['the API', byApi],
] as const)
  test(`${who} can end every manifest, even if its carrier never answers and its parcels are cancelled`, () => {
    const all = [...states()]
    assert.equal(all.length, 10)
    for (const facts of all) assert.ok(canBeEnded(facts, ways), JSON.stringify(facts))
  })

test('the portal enables the actions that the API accepts, and says why a submit is disabled', () => {
  for (const facts of states()) {
    assert.deepEqual(byPortal(facts), byApi(facts), JSON.stringify(facts))
    assert.deepEqual(manifestFactsIn(toManifest(facts)), facts)
  }
  const draft = toManifest({ state: 'draft', attempt: null, hasIneligible: true })
  assert.deepEqual(manifestActionsOf(draft), [
    {
      action: 'submit',
      disabledReason:
        'A1 can no longer go on this manifest. Discard this manifest, and create a new one for the other delivery.',
    },
    { action: 'discard', disabledReason: null },
  ])
})

test('a discard says how many deliveries can go on another manifest', () => {
  const discard = (ineligible: readonly boolean[], status: Manifest['status'] = 'draft') =>
    formatDiscard({
      status,
      carrier_provider: 'Big Haul',
      manifest_deliveries: ineligible.map((one) => ({ ...(one && { not_eligible: 'is cancelled' }) })),
    } as Manifest)
  const end = 'We won’t send this manifest to Big Haul'
  assert.equal(discard([false, false]), `${end}. Its 2 deliveries can go on another one.`)
  assert.equal(discard([false], 'refused'), `${end} again. Its delivery can go on another one.`)
  assert.equal(discard([true, false, false]), `${end}. 2 of its 3 deliveries can go on another one.`)
  assert.equal(discard([true]), `${end}.`)
})
