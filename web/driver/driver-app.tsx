import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../shared/api.ts'
import { toProblem } from '../shared/problem.ts'
import { Collect } from './collect.tsx'
import { FailedDelivery } from './failed-delivery.tsx'
import { Home } from './home.tsx'
import { LogIn } from './log-in.tsx'
import { startOutbox } from './outbox.ts'
import { Proof } from './proof.tsx'
import { go, useRoute } from './route.ts'
import { Stop } from './stop.tsx'
import { useJobs } from './use-jobs.ts'
import { useWhereabouts } from './use-whereabouts.ts'

let started = false

/** The driver's app: login, or else the page of the address. A job that no longer exists leads home. */
export function DriverApp() {
  const client = useQueryClient()
  useEffect(() => {
    if (started) return
    started = true
    void startOutbox(() => client.invalidateQueries({ queryKey: ['jobs'] }))
  }, [client])
  const jobs = useJobs()
  const route = useRoute()
  useWhereabouts(jobs.round.some(({ status }) => status !== 'booked'))
  const named = 'job' in route ? route.job : null
  const job = named === null ? null : jobs.round.find(({ id }) => id === named)
  // The SMS link names an offer by its token: home shows the offer.
  const astray = jobs.isReported && !jobs.loggedOut && !job ? named : null
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (astray === null) return
    go({ page: 'home' })
    // An offer that is not in the driver's list may belong to an account whose code they have not entered.
    const params = { path: { job_id: astray } }
    void api.GET('/driver/jobs/{job_id}', { params }).then(
      () => setMissing(false),
      (error) => setMissing(toProblem(error).status === 404),
    )
  }, [astray])
  const reload = () => client.invalidateQueries({ queryKey: ['jobs'] })
  const home = () => {
    setMissing(false)
    go({ page: 'home' })
    return reload()
  }
  if (jobs.loggedOut) return <LogIn onDone={reload} />
  if (route.page === 'codes') return <LogIn onDone={home} onBack={home} />
  if (!('job' in route) || !job) return <Home jobs={jobs} isMissing={isMissing} />
  const pages = { job: Stop, collect: Collect, proof: Proof, cannot: FailedDelivery }
  const Page = pages[route.page]
  return <Page key={job.id + route.page} job={job} round={jobs.round} />
}
