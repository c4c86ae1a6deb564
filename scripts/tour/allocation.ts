import { setTimeout as sleep } from 'node:timers/promises'
import { say, step } from './print.ts'
import type { TourContext } from './tour-context.ts'

type Rank = { rank: number; store_reference: string; est_distance_km: number; earliest_RFP_datetime: string }
type Job = { status: string; store_allocation_ranks?: Rank[] }

/** Stores ranked for a customer in Geelong: at once, and as a job in the background. */
export async function allocation({ shop }: TourContext): Promise<void> {
  const body = { address: { latitude: -38.1499, longitude: 144.3617 }, recommend_store_count: 3 }
  step('Rank the stores for a place', 'POST /demo/deliveries/quote/allocation')
  const { store_allocation_ranks } = await shop.post<{ store_allocation_ranks: Rank[] }>(
    '/deliveries/quote/allocation',
    body,
  )
  for (const { rank, store_reference, est_distance_km, earliest_RFP_datetime } of store_allocation_ranks) {
    say(`${rank}. ${store_reference.padEnd(14)} ${est_distance_km} km, ready from ${earliest_RFP_datetime}`)
  }

  step('The same in the background', 'GET /demo/deliveries/quote/allocation/status/{job_id}')
  const { job_id } = await shop.post<{ job_id: string }>('/deliveries/quote/allocation', {
    ...body,
    use_async: true,
  })
  let job: Job = { status: 'queued' }
  while (!['done', 'failed'].includes(job.status)) {
    job = await shop.get<Job>(`/deliveries/quote/allocation/status/${job_id}`)
    await sleep(100)
  }
  say(
    `${job_id} is ${job.status}: ${job.store_allocation_ranks?.map((one) => one.store_reference).join(', ')}`,
  )
}
