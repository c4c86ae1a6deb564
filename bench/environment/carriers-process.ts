import { startAuspost } from '../../src/fakes/auspost/start-auspost.ts'
import { answerParent } from './child.ts'

/** As many stand-ins of Australia Post as asked for, each of whose answers takes so long; answers their addresses. */
answerParent(async ({ count, latencyMs }: { count: number; latencyMs: number }) => {
  const fakes = await Promise.all(
    Array.from({ length: count }, () =>
      startAuspost({ faults: [{ operation: '*', kind: 'slow', ms: latencyMs, times: null }] }),
    ),
  )
  return fakes.map(({ url }) => url)
})
