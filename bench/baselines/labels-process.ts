import { labelPdf } from '../../src/documents/label.ts'
import { LABEL } from '../../test/documents/label-examples.ts'
import { answerParent } from '../environment/child.ts'
import { plainLabel } from './plain-label.ts'

const MAKERS = { ours: () => labelPdf([LABEL]), limit: () => plainLabel(LABEL) }

/** Labels a second, one document after another. */
answerParent(async ({ who, durationMs }: { who: keyof typeof MAKERS; durationMs: number }) => {
  const cpuBefore = process.cpuUsage()
  const beganMs = performance.now()
  let made = 0
  while (performance.now() - beganMs < durationMs) {
    await MAKERS[who]()
    made += 1
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  return { perSecond: made / ((performance.now() - beganMs) / 1_000), cpuMicros: (user + system) / made }
})
