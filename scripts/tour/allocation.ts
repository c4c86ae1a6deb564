import { setTimeout as sleep } from 'node:timers/promises'
import type { AllocationStatusAnswer } from '../../clients/typescript/src/index.ts'
import { say, step } from './print.ts'
import type { TourContext } from './tour-context.ts'

const POLL_MS = 100

/** Stores ranked for a customer in Geelong: at once, and as a job in the background. */
export async function allocation({ shop }: TourContext): Promise<void> {
  const body = { address: { latitude: -38.1499, longitude: 144.3617 }, recommend_store_count: 3 }
  step('Rank the stores for a place', 'POST /demo/deliveries/quote/allocation')
  const answer = await shop.quotes.allocateStores(body)
  if (!('store_allocation_ranks' in answer)) throw new Error('The service answered with a job.')
  for (const {
    rank,
    store_reference,
    est_distance_km,
    earliest_RFP_datetime,
  } of answer.store_allocation_ranks) {
    say(`${rank}. ${store_reference.padEnd(14)} ${est_distance_km} km, ready from ${earliest_RFP_datetime}`)
  }

  step('The same in the background', 'GET /demo/deliveries/quote/allocation/status/{job_id}')
  const queued = await shop.quotes.allocateStores({ ...body, use_async: true })
  if (!('job_id' in queued)) throw new Error('The service answered without a job.')
  let job: AllocationStatusAnswer
  do {
    await sleep(POLL_MS)
    job = await shop.quotes.getAllocation(queued.job_id)
  } while (!['done', 'failed'].includes(job.status))
  const stores = job.store_allocation_ranks?.map((one) => one.store_reference).join(', ')
  say(`${queued.job_id} is ${job.status}: ${stores ?? job.reason}`)
}
