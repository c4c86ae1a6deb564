import { PauseProbe } from './pause-probe.ts'

/**
 * Loaded into the measured service before its own code (`node --import`). It responds to `begin` and `end` over the
 * channel of its parent, and does not keep the service running.
 */
const probe = new PauseProbe()
process.on('message', async (question: 'begin' | 'end') => {
  if (question === 'begin') probe.begin()
  process.send?.({ answer: question === 'end' ? await probe.end() : null })
})
process.channel?.unref()
