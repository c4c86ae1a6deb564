import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Histogram, Registry } from 'prom-client'
import { histogram } from './histogram.ts'

const shape = { name: 'drover_seconds', help: 'Time.' }
const bounds = [0.001, 0.5, 10]

test('our histogram renders the same text as prom-client', async () => {
  const value = fc.oneof(fc.constantFrom(0, ...bounds), fc.double({ min: 0, max: 20, noNaN: true }))
  const measured = fc.array(
    fc.record({ route: fc.constantFrom('/a', '/b"\n'), status: fc.constantFrom(200, 500), value }),
  )
  await fc.assert(
    fc.asyncProperty(measured, async (all) => {
      const [ourRegistry, libraryRegistry] = [new Registry(), new Registry()]
      const library = new Histogram({
        ...shape,
        labelNames: ['route', 'status'],
        buckets: bounds,
        registers: [libraryRegistry],
      })
      const of = histogram(ourRegistry, { ...shape, bounds })
      const known = new Map<string, (value: number) => void>()
      for (const { value: seconds, ...labels } of all) {
        const key = JSON.stringify(labels)
        if (!known.has(key)) known.set(key, of(labels))
        known.get(key)?.(seconds)
        library.observe(labels, seconds)
      }
      assert.equal(inOrder(await ourRegistry.metrics()), inOrder(await libraryRegistry.metrics()))
    }),
    { numRuns: 50 },
  )
})

/** Sorts lines and labels, whose order does not matter. */
function inOrder(text: string): string {
  const line = (one: string) =>
    one.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`)
  return text.split('\n').map(line).sort().join('\n')
}
