import { lazyRouteComponent } from '@tanstack/react-router'
import { BrokenPage } from '../../shared/error-boundary.tsx'
import { importWithRetry } from '../../shared/lazy-import.ts'
import { Problem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'

/**
 * A page that is loaded at the first visit. If a release has replaced its file the router reloads the app; offline
 * that would lose the app, so the page shows an error instead.
 */
export function lazyPage<Module extends object, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => importWithRetry(load).catch(sayIfOffline), name)
}

function sayIfOffline(error: unknown): never {
  throw navigator.onLine
    ? error
    : new Problem(0, {
        detail: 'You’re offline, and this device hasn’t saved this page yet. Try again when you’re online.',
      })
}

/** In place of a page that could not be loaded or rendered; the frame around it stays. */
export function FailedPage({ error }: { error: unknown }) {
  return error instanceof Problem ? (
    <ProblemView error={error} retry={() => location.reload()} />
  ) : (
    <BrokenPage />
  )
}
