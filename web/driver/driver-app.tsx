import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Cannot } from './cannot.tsx'
import { Collect } from './collect.tsx'
import { Home } from './home.tsx'
import { LogIn } from './log-in.tsx'
import { startOutbox } from './outbox.ts'
import { Proof } from './proof.tsx'
import { go, useRoute } from './route.ts'
import { Stop } from './stop.tsx'
import { useJobs } from './use-jobs.ts'
import { useWhereabouts } from './use-whereabouts.ts'

let started = false

/** What a driver sees: log-in, else the page that the address names. A job that is no more leads home. */
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
  const job = route.page === 'home' ? null : jobs.round.find(({ id }) => id === route.job)
  // The link of the SMS names an offer by a token of its own: home shows it.
  const astray = route.page !== 'home' && jobs.isTold && !jobs.loggedOut && !job
  useEffect(() => {
    if (astray) go({ page: 'home' })
  }, [astray])
  if (jobs.loggedOut) return <LogIn onDone={() => client.invalidateQueries({ queryKey: ['jobs'] })} />
  if (route.page === 'home' || !job) return <Home jobs={jobs} />
  const pages = { job: Stop, collect: Collect, proof: Proof, cannot: Cannot }
  const Page = pages[route.page]
  return <Page key={job.id + route.page} job={job} round={jobs.round} />
}
