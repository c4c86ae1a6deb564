import { startAuspost } from '../../fakes/auspost/start-auspost.ts'
import { answerParent } from './child.ts'

/** Starts `count` fakes of Australia Post with this response time, and returns their addresses. */
answerParent(async ({ count, latencyMs }: { count: number; latencyMs: number }) => {
  const fakes = await Promise.all(
    Array.from({ length: count }, () =>
      startAuspost({ faults: [{ operation: '*', kind: 'slow', ms: latencyMs, times: null }] }),
    ),
  )
  return fakes.map(({ url }) => url)
})
