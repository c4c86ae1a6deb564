import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DriverJob } from '../shared/api.generated.ts'
import { api } from '../shared/api.ts'
import { toProblem } from '../shared/problem.ts'
import {
  forgetListed,
  idsSentNotListed,
  outboxLoaded,
  recordNoResponse,
  recordResponse,
  useOutbox,
} from './outbox.ts'
import { ANSWER_MS } from './post.ts'
import { readJobs, saveJobs } from './stored-jobs.ts'
import { withWaiting } from './waiting.ts'

export type Jobs = {
  offers: DriverJob[]
  round: DriverJob[]
  loggedOut: boolean
  /** When the list was loaded, by the phone's clock; null: there is none. */
  readMs: number | null
  /** The server has returned it since the app was opened. */
  isReported: boolean
}

/** The driver's jobs with their own steps applied; until the server responds, the list stored on the phone. */
export function useJobs(): Jobs {
  const { waiting, sentNotListed, asked, loggedOut } = useOutbox()
  const { data: fetched, error } = useQuery({
    queryKey: ['jobs'],
    queryFn: read,
    refetchInterval: 15_000,
    refetchOnReconnect: true,
    // The list is requested again soon, and meanwhile the phone shows the stored one.
    retry: false,
    networkMode: 'always',
  })
  const { data: stored } = useQuery({
    queryKey: ['stored jobs'],
    queryFn: readJobs,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
  const list = fetched ?? stored ?? null
  const jobs = withWaiting(list?.jobs ?? [], [
    ...sentNotListed.filter(({ id }) => !list?.sentBefore?.includes(id)),
    ...waiting.filter(({ id }) => id !== asked),
  ])
  // Only once the new list is shown, or a delivered stop would reappear for a moment.
  useEffect(() => {
    if (fetched) void forgetListed(fetched.sentBefore)
  }, [fetched])
  return {
    offers: jobs.filter(({ offered }) => offered),
    round: jobs.filter(({ offered }) => !offered),
    loggedOut: loggedOut || toProblem(error ?? null).status === 401,
    readMs: list?.readMs ?? null,
    isReported: fetched !== undefined,
  }
}

let reads = 0
let lastSaved = 0

async function read() {
  await outboxLoaded
  const number = ++reads
  const sentBefore = idsSentNotListed()
  const { data: jobs } = await api.GET('/driver/jobs', { timeoutMs: ANSWER_MS }).catch((error) => {
    const { status } = toProblem(error)
    if (status === 0) recordNoResponse('signal')
    else if (status >= 500) recordNoResponse('server')
    else recordResponse()
    throw error
  })
  recordResponse()
  const list = { jobs, readMs: Date.now(), sentBefore }
  // An answer may arrive after that of a later request. A phone without storage still shows the list.
  if (number > lastSaved) {
    lastSaved = number
    await saveJobs(list)
  }
  return list
}
