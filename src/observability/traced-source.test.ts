import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DueSource } from '../work/runner.ts'
import { tracedSource } from './traced-source.ts'
import { currentSpan, currentTraceparent, noteFailure } from './tracing/current.ts'
import type { EndedSpan } from './tracing/span.ts'
import { makeTracer } from './tracing/tracer.ts'

type Row = { id: string; cause: string | null; together?: string }

const causeOf = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`

/** The spans of running these rows in one call. */
async function reportOf(rows: Row[], run: DueSource<Row>['run'] = async () => {}) {
  const spans: EndedSpan[] = []
  const source: DueSource<Row> = {
    name: 'rows',
    concurrency: 1,
    claim: async () => [],
    together: ({ together = null }) => together,
    run,
  }
  const tracer = makeTracer(
    () => true,
    (span) => spans.push(span),
  )
  const about = ({ id, cause }: Row) => ({ cause, attributes: { id } })
  await tracedSource(source, tracer, about).run(rows)
  assert.equal(spans.length, 1)
  return spans[0] as EndedSpan
}

test('an attempt at one row is a child of the request that created it, and so are its effects', async () => {
  let kept: string | null = null
  const span = await reportOf([{ id: 'a', cause: causeOf('a') }], async () => {
    kept = currentTraceparent()
  })
  assert.deepEqual([span.traceId, span.parentSpanId], ['a'.repeat(32), 'a'.repeat(16)])
  assert.deepEqual(span.links, [])
  assert.equal(span.attributes.id, 'a')
  assert.equal(kept, causeOf('a'))
})

test('rows that are processed together have their own trace, with a link to each', async () => {
  const rows = ['a', 'b'].map((id) => ({ id, cause: causeOf(id), together: 'x' }))
  for (const some of [rows, rows.slice(0, 1)]) {
    const span = await reportOf([...some, { id: 'c', cause: null, together: 'x' }])
    assert.equal(span.parentSpanId, null)
    assert.deepEqual(
      span.links.map(({ traceId }) => traceId),
      some.map(({ id }) => id.repeat(32)),
    )
  }
})

test('a row without a request starts a trace, and links back to it', async () => {
  let kept: string | null = null
  let own: string | undefined
  const span = await reportOf([{ id: 'a', cause: null }], async () => {
    kept = currentTraceparent()
    own = currentSpan()?.traceparent
  })
  assert.equal(span.parentSpanId, null)
  assert.equal(kept, own)
})

test('a failure is recorded by its type and not its message', async () => {
  const error = Object.assign(new Error('Ada Nguyen, 12 Drummond Street'), { code: 'ECONNRESET' })
  const span = await reportOf([{ id: 'a', cause: null }], async () => noteFailure(error))
  assert.equal(span.errorType, 'ECONNRESET')
  assert.ok(!JSON.stringify(span).includes('Nguyen'))
})
