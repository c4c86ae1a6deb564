import { lazyRouteComponent } from '@tanstack/react-router'
import { imported } from '../../shared/imported.ts'
import { Problem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { BrokenPage } from '../../shared/whole-page.tsx'

/**
 * A page that is loaded when it is first gone to. Where a release has replaced its file the router loads the app anew;
 * without a connection that would lose the app, so there the page says so instead.
 */
export function pageOf<Module extends object, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => imported(load).catch(sayIfOffline), name)
}

function sayIfOffline(error: unknown): never {
  throw navigator.onLine ? error : new Problem(0, { detail: 'This page is not on this device yet.' })
}

/** In place of a page that did not come or could not be drawn; the frame around it stays. */
export function FailedPage({ error }: { error: unknown }) {
  return error instanceof Problem ? (
    <ProblemView error={error} retry={() => location.reload()} />
  ) : (
    <BrokenPage />
  )
}
