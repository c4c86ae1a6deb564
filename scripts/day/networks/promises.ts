import type { FakeEntry } from '../../../test/fake-process.ts'
import { type FoundManifest, findHandOverFaults } from '../../../test/harness/hand-over.ts'
import { deliveryOf, type Ending } from '../../../test/harness/ledger.ts'
import type { Finding, Promises } from '../../../test/harness/promises.ts'
import { DAY_PROMISES, type DayEvidence } from '../verify-day.ts'
import type { NetworkJob } from './jobs.ts'
import type { Journey } from './kinds.ts'

export type Evidence = Omit<DayEvidence, 'jobs'> & {
  jobs: readonly NetworkJob[]
  manifests: readonly FoundManifest[]
  /** How trips of the on-demand couriers ended. */
  endings: readonly Ending[]
  /** Every tracking request that reached Australia Post, including those with faults. */
  tracking: readonly FakeEntry[]
}

/** Each promise in plain words, and the check for it. */
export const PROMISES = {
  ...DAY_PROMISES,
  'Each manifest is one order with the same articles: manifests and orders': eachManifestSubmittedOnce,
  'Each key sends at most 10 tracking requests a minute, of at most 10 ids: tracking requests': withinBudget,
  'Each delivery ended as its carrier says, delivered or returned: ended deliveries': statusesAgree,
} as const satisfies Promises<string, Evidence>

function eachManifestSubmittedOnce({ manifests, orders }: Evidence): Finding {
  const unfinished = manifests.filter(({ status }) => status === 'submitting' || status === 'on_hold')
  return {
    counted: manifests.filter(({ status }) => status === 'submitted').length,
    wrong: [
      ...unfinished.map(({ id, status }) => `manifest ${id} is ${status}`),
      ...findHandOverFaults(manifests, orders),
    ],
  }
}

const MAX_REQUESTS = 10
const MINUTE_MS = 60_000
const MAX_IDS = 10

/** Checks tracking requests by their arrival on the carrier's own clock, which runs with ours between clock jumps. */
function withinBudget({ tracking }: Evidence): Finding {
  const wrong: string[] = []
  for (const [key, requests] of Map.groupBy(tracking, ({ caller }) => caller)) {
    const times = requests.map(({ arrived }) => Date.parse(arrived)).sort((a, b) => a - b)
    for (const [index, atMs] of times.entries()) {
      const eleventh = times[index + MAX_REQUESTS]
      if (eleventh !== undefined && eleventh - atMs < MINUTE_MS)
        wrong.push(`${key} sent ${MAX_REQUESTS + 1} requests within ${eleventh - atMs} ms`)
    }
  }
  for (const request of tracking) {
    const ids = idsIn(request)
    if (ids > MAX_IDS) wrong.push(`${request.caller} requested ${ids} ids at once`)
    if (request.status === 429 && !request.faults)
      wrong.push(`${request.caller} got a 429 for too many requests`)
  }
  return { counted: tracking.length, wrong }
}

function idsIn({ query = '' }: FakeEntry): number {
  return new URLSearchParams(query).get('tracking_ids')?.split(',').length ?? 0
}

const COMES_BACK: ReadonlySet<Journey> = new Set(['refused', 'coming_back'])
const ENDED = ['delivered', 'returned']

/** On-demand couriers' ledgers say how each trip ended; for the others we know what their simulated staff did. */
function statusesAgree({ jobs, deliveries, endings, manifests }: Evidence): Finding {
  const endByCourier = new Map<string, string>(endings.map(({ key, status }) => [deliveryOf(key), status]))
  const journeyOf = new Map(jobs.map(({ reference, journey }) => [reference, journey]))
  const handedOver = new Set(
    manifests
      .filter(({ status }) => status === 'submitted')
      .flatMap(({ manifest_deliveries }) => manifest_deliveries.map(({ delivery_id }) => delivery_id)),
  )
  const wrong = deliveries.flatMap(({ id, reference, status }) => {
    const journey = journeyOf.get(reference) ?? 'delivered'
    const endByStaff = COMES_BACK.has(journey) ? 'returned' : 'delivered'
    const expected = endByCourier.get(id) ?? (handedOver.has(id) ? endByStaff : null)
    if (expected === null)
      return ENDED.includes(status) ? [`${reference} is ${status}, although no journey ended that way`] : []
    return status === expected ? [] : [`${reference} is ${status}; its carrier says ${expected}`]
  })
  return { counted: deliveries.filter(({ status }) => ENDED.includes(status)).length, wrong }
}
