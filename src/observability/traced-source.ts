import type { DueSource } from '../work/runner.ts'
import { under } from './tracing/current.ts'
import type { Attributes, Span, Tracer } from './tracing/span.ts'

/** Whose a row is, what a span says of it, and the request that began it, as the row keeps it: a traceparent or null. */
export type RowFacts = { accountId: string; cause: string | null; attributes: Attributes }

/**
 * The same source, each attempt told of as a span. An attempt at one row stands under the request that began it, in that
 * request's trace. Rows that are worked together, as when news of them is asked for by the day long, get a trace of their
 * own with a link to each.
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
