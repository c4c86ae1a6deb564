import type { FakeEntry } from '../../../../test/fake-process.ts'
import type { Finding } from '../../../../test/harness/promises.ts'
import type { Evidence } from '../evidence.ts'

const MAX_REQUESTS = 10
const MINUTE_MS = 60_000
const MAX_IDS = 10

/** Checks tracking requests by their arrival on the carrier's own clock, which runs with ours between clock jumps. */
export function withinBudget({ tracking }: Evidence): Finding {
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
