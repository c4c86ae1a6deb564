import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import type { DriverJob } from '../shared/api.generated.ts'
import { api } from '../shared/api.ts'
import { formatKm } from '../shared/format-km.ts'
import { toProblem } from '../shared/problem.ts'
import { formatParcels, unitsOf, windowOfJob } from './places.ts'
import { go } from './route.ts'

type OfferProps = {
  job: DriverJob
  /** Why it failed; null for a new attempt. The offer may be gone by then. */
  onMessage(message: string | null): void
}

/** A job to accept or decline. Both need signal: the store waits for the answer. */
export function Offer({ job, onMessage }: OfferProps) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const answer = async (take: boolean) => {
    setBusy(true)
    onMessage(null)
    const params = { path: { job_id: job.id } }
    try {
      if (take) await api.POST('/driver/jobs/{job_id}/accept', { params, body: { version: job.version } })
      else await api.POST('/driver/jobs/{job_id}/refuse', { params })
      await client.invalidateQueries({ queryKey: ['jobs'] })
      if (take) go({ page: 'job', job: job.id })
    } catch (error) {
      onMessage(toProblem(error).message)
      await client.invalidateQueries({ queryKey: ['jobs'] })
    } finally {
      setBusy(false)
    }
  }
  const from = job.delivery_mode === 'customer_pickup' ? job.from.city : job.store
  const to = job.delivery_mode === 'customer_pickup' ? job.store : job.to.city
  const window = windowOfJob(job)
  return (
    <section className="offer" aria-label={`A job to ${to}`}>
      <p>
        {job.brand} has a job for you
        {job.offer_expires_at && `, answer by ${deviceClock(job.offer_expires_at)}`}
      </p>
      <h2>
        {from} to {to}
      </h2>
      <p>
        {formatKm(job.distance_km)}, {formatParcels(unitsOf(job))}
        {window && (
          <>
            , to be there <b>{window}</b>
          </>
        )}
        {job.requirements.dangerous_goods && ', dangerous goods'}
      </p>
      <div className="two">
        <ActionButton type="button" className="half" busy={busy} onClick={() => answer(false)}>
          Decline
        </ActionButton>
        <ActionButton type="button" className="half take" busy={busy} onClick={() => answer(true)}>
          Take it
        </ActionButton>
      </div>
    </section>
  )
}

/** The offer expires by the account's clock; the driver reads it on their own. */
function deviceClock(iso: string): string {
  return new Date(iso)
    .toLocaleTimeString('en-AU', { hour: 'numeric', minute: '2-digit', hour12: true })
    .toLowerCase()
}
