import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gauge, Registry } from 'prom-client'
import { metricsText } from './metrics-text.ts'

function countedRegistry() {
  const registry = new Registry()
  let renderings = 0
  let release = () => {}
  new Gauge({
    name: 'figure',
    help: 'Counts its renderings.',
    registers: [registry],
    async collect() {
      this.set(++renderings)
      await new Promise<void>((settle) => {
        release = settle
        if (renderings > 1) settle()
      })
    },
  })
  return { registry, count: () => renderings, release: () => release() }
}

test('readers share one rendering, however long it takes, and its text for a second', async () => {
  const { registry, count, release } = countedRegistry()
  const readers = [0, 500, 5_000].map((nowMs) => metricsText(registry, nowMs))
  release()
  const texts = await Promise.all(readers)
  assert.deepEqual(new Set(texts).size, 1)
  assert.equal(count(), 1)
  await metricsText(registry, 999)
  assert.equal(count(), 1)
  assert.match(await metricsText(registry, 1_000), /^figure 2$/m)
})

test('a failed rendering is not reused', async () => {
  const registry = new Registry()
  let isBroken = true
  new Gauge({
    name: 'figure',
    help: 'Fails at first.',
    registers: [registry],
    collect() {
      if (isBroken) throw new Error('not now')
    },
  })
  await assert.rejects(metricsText(registry, 0), /not now/)
  isBroken = false
  assert.match(await metricsText(registry, 1), /^figure 0$/m)
})
