import type { DueSource } from '../work/runner.ts'
import { under } from './tracing/current.ts'
import type { Attributes, Span, Tracer } from './tracing/span.ts'

/**
 * A row's account, its span attributes, and the traceparent (or null) of the request that created it, as the
 * row stores it.
 */
export type RowFacts = { accountId: string; cause: string | null; attributes: Attributes }

/**
 * Wraps each attempt in a span. An attempt at one row is a child of the request that created the row, in that
 * request's trace. Rows that are processed in a batch, such as tracking polls, get a trace of their own with
 * a link to each request.
 */
export function tracedSource<Row>(
  source: DueSource<Row>,
  tracer: Tracer,
  about: (row: Row) => Pick<RowFacts, 'cause' | 'attributes'>,
): DueSource<Row> {
  const begin = (rows: readonly Row[]): { span: Span; cause: string | null } => {
    const [first, ...more] = rows.map(about)
    const alone = rows.length === 1 && !source.together?.(rows[0] as Row)
    const name = `work ${source.name}`
    const common = { 'drover.work.source': source.name, 'drover.work.rows': rows.length }
    if (alone && first) {
      const { cause, attributes } = first
      const span = tracer.begin(name, {
        kind: 'consumer',
        parent: cause,
        attributes: { ...common, ...attributes },
      })
      return { span, cause }
    }
    const links = [first, ...more].flatMap((one) => one?.cause ?? [])
    return {
      span: tracer.begin(name, { kind: 'consumer', parent: null, attributes: common, links }),
      cause: null,
    }
  }
  return {
    ...source,
    async run(rows) {
      const { span, cause } = begin(rows)
      try {
        await under(span, () => source.run(rows), cause)
      } catch (error) {
        span.fail('failed')
        throw error
      } finally {
        span.end()
      }
    },
  }
}
