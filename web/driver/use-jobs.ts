import { useQuery } from '@tanstack/react-query'
import type { DriverJob } from '../shared/api.generated.ts'
import { answerOf, api } from '../shared/api.ts'
import { problemOf } from '../shared/problem.ts'
import { useOutbox } from './outbox.ts'
import { keep, kept } from './phone-store.ts'
import { withWaiting } from './waiting.ts'

export type Jobs = { offers: DriverJob[]; round: DriverJob[]; loggedOut: boolean; loading: boolean }

/** What the driver has to do, with what he has done already; without signal, the list that the phone kept. */
export function useJobs(): Jobs {
  const { waiting, loggedOut } = useOutbox()
  const { data, error, isPending } = useQuery({
    queryKey: ['jobs'],
    queryFn: read,
    refetchInterval: 15_000,
    networkMode: 'always',
  })
  const jobs = withWaiting(data ?? [], waiting)
  return {
    offers: jobs.filter(({ offered }) => offered),
    round: jobs.filter(({ offered }) => !offered),
    loggedOut: loggedOut || problemOf(error ?? null).status === 401,
    loading: isPending,
  }
}

async function read(): Promise<DriverJob[]> {
  try {
    const { data } = await answerOf(api.GET('/driver/jobs'))
    await keep('jobs', data)
    return data
  } catch (error) {
    const known = problemOf(error).status === 0 ? await kept<DriverJob[]>('jobs') : null
    if (known) return known
    throw error
  }
}
