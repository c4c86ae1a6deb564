import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/wait-until.ts'
import type { PostOutcome } from './otlp-post.ts'
import type { EndedSpan } from './span.ts'
import { type QueueSettings, spanQueue } from './span-queue.ts'

const span = (name: string): EndedSpan => ({
  name,
  kind: 'internal',
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: null,
  startMs: 1,
  endMs: 2,
  attributes: {},
  links: [],
  errorType: null,
})

const accepted: PostOutcome = { kind: 'accepted', refused: 0 }
/** A day: only a full export or the end sends anything. */
const patient: QueueSettings = { delayMs: 86_400_000, maxWaiting: 5, maxTogether: 3, timeoutMs: 60_000 }

/** A queue to a collector that returns the scripted answers in order. */
function queueTo(answer: (body: string, signal: AbortSignal) => Promise<PostOutcome>, settings = patient) {
  const results = { exported: 0, dropped: 0, failed: 0 }
  const troubles: string[] = []
  const asked: string[] = []
  const queue = spanQueue(
    settings,
    (body, signal) => {
      asked.push(body)
      return answer(body, signal)
    },
    (spans) => spans.map(({ name }) => name).join(),
    {
      result: (result, spans) => {
        results[result] += spans
      },
      trouble: (message) => troubles.push(message),
    },
  )
  return { ...queue, results, troubles, asked }
}

test('spans are exported in batches, and the last ones at the end', async () => {
  const queue = queueTo(async () => accepted)
  for (const name of 'abcd') queue.take(span(name))
  await until(() => queue.results.exported === 3, 'a full export goes at once')
  assert.deepEqual(queue.asked, ['a,b,c'])
  await queue.close(60_000)
  assert.deepEqual(queue.asked, ['a,b,c', 'd'])
  assert.deepEqual(queue.results, { exported: 4, dropped: 0, failed: 0 })
})

test('a span waits for its batch no longer than the limit', async () => {
  const queue = queueTo(async () => accepted, { ...patient, delayMs: 1 })
  queue.take(span('a'))
  await until(() => queue.results.exported === 1, 'it goes alone')
})

test('while the collector is slow, spans wait up to the limit; the others are dropped and counted', async () => {
  const { promise, resolve } = Promise.withResolvers<PostOutcome>()
  const queue = queueTo(() => promise)
  for (const name of 'abcdefghij') queue.take(span(name))
  assert.deepEqual(queue.asked, ['a,b,c'], 'one export at a time')
  assert.equal(queue.results.dropped, 2)
  resolve(accepted)
  await queue.close(60_000)
  assert.deepEqual(queue.asked, ['a,b,c', 'd,e,f', 'g,h'])
  assert.deepEqual(queue.results, { exported: 8, dropped: 2, failed: 0 })
})

test('spans that the collector may accept later are sent again; spans that it rejects are not', async () => {
  const answers: PostOutcome[] = [
    { kind: 'not_taken', again: true, message: '503' },
    { kind: 'accepted', refused: 1 },
    { kind: 'not_taken', again: false, message: '400' },
  ]
  const queue = queueTo(async () => answers.shift() ?? accepted)
  for (const name of 'abc') queue.take(span(name))
  await until(() => queue.results.exported === 2, 'it is sent again')
  for (const name of 'def') queue.take(span(name))
  await queue.close(60_000)
  assert.deepEqual(queue.asked, ['a,b,c', 'a,b,c', 'd,e,f'])
  assert.deepEqual(queue.results, { exported: 2, dropped: 0, failed: 4 })
  assert.deepEqual(queue.troubles, ['503', '400'])
})

test('a stop waits for a silent collector no longer than its grace', async () => {
  const queue = queueTo(
    (_body, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          resolve({ kind: 'not_taken', again: true, message: 'AbortError' }),
        )
      }),
  )
  for (const name of 'abcd') queue.take(span(name))
  await queue.close(20)
  assert.deepEqual(queue.results, { exported: 0, dropped: 1, failed: 3 })
})
