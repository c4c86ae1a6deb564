import { useSyncExternalStore } from 'react'

/** The driver's page in the app. It follows the `#`, so that a job's link is never sent to the server. */
export type Route =
  | { page: 'home' }
  | { page: 'codes' }
  | { page: 'job' | 'collect' | 'proof' | 'cannot'; job: string }

export function useRoute(): Route {
  const hash = useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed)
      return () => removeEventListener('hashchange', changed)
    },
    () => location.hash,
  )
  return routeOf(hash)
}

export function routeOf(hash: string): Route {
  if (hash === '#/codes') return { page: 'codes' }
  const [, jobs, job, page = 'job'] = hash.split('/')
  if (jobs !== 'jobs' || !job) return { page: 'home' }
  const known = page === 'collect' || page === 'proof' || page === 'cannot' ? page : 'job'
  return { page: known, job: decodeURIComponent(job) }
}

export function hashOf(route: Route): string {
  if (route.page === 'home') return '#/'
  if (route.page === 'codes') return '#/codes'
  const job = `#/jobs/${encodeURIComponent(route.job)}`
  return route.page === 'job' ? job : `${job}/${route.page}`
}

export function go(route: Route): void {
  location.hash = hashOf(route)
}
