import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PauseProbe } from './pause-probe.ts'

const usedMs = () => process.threadCpuUsage().user / 1_000

function workFor(ms: number): void {
  const began = usedMs()
  while (usedMs() - began < ms);
}

test('the longest pause is the longest turn of the event loop, not the sum of all turns', async () => {
  const probe = new PauseProbe()
  probe.begin()
  await new Promise((done) => setTimeout(done, 2))
  for (const ms of [5, 40, 5, 5]) {
    workFor(ms)
    await new Promise((done) => setTimeout(done, 2))
  }
  const { wallMs, cpuMs } = await probe.end()
  assert.ok(cpuMs >= 40 && wallMs >= 40, `${cpuMs} ms of CPU, ${wallMs} ms by the clock`)

  probe.begin()
  workFor(5)
  const next = await probe.end()
  assert.ok(next.cpuMs >= 5 && next.cpuMs < cpuMs, `${next.cpuMs} ms of CPU after ${cpuMs}`)
})
