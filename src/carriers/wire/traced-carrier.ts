import { asPart } from '../../observability/tracing/current.ts'
import type { Tracer } from '../../observability/tracing/span.ts'
import type { Carrier, Outcome } from '../port/carrier.ts'

type Names = { provider: string; adapter: string }

/**
 * Wraps each carrier operation in a span with its outcome: yes, no or unknown, never the carrier's message.
 */
export function tracedCarrier(carrier: Carrier, tracer: Tracer, { provider, adapter }: Names): Carrier {
  const traced = <A extends unknown[], T>(
    operation: string,
    ask: (...args: A) => Promise<Outcome<T>>,
  ): ((...args: A) => Promise<Outcome<T>>) => {
    const attributes = {
      'drover.carrier': provider,
      'drover.adapter': adapter,
      'drover.operation': operation,
    }
    return (...args) =>
      asPart(tracer, `carrier ${operation}`, { kind: 'internal', attributes }, async (span) => {
        const outcome = await ask(...args)
        span.set({ 'drover.outcome': outcome.kind })
        if (outcome.kind === 'no') span.set({ 'drover.retry': outcome.retry })
        if (outcome.kind === 'unknown') span.fail('unknown')
        return outcome
      })
  }
  const { check, rates, book, find, cancel, availableFrom, label, track, manifest } = carrier
  return {
    ...carrier,
    book: traced('book', book),
    ...(check && { check: traced('check', check) }),
    ...(rates && { rates: traced('rates', rates) }),
    ...(find && { find: traced('find', find) }),
    ...(cancel && { cancel: traced('cancel', cancel) }),
    ...(availableFrom && { availableFrom: traced('available from', availableFrom) }),
    ...(label && { label: { ...label, fetch: traced('label', label.fetch) } }),
    ...(track && { track: { ...track, poll: traced('track', track.poll) } }),
    ...(manifest && {
      manifest: {
        submit: traced('submit manifest', manifest.submit),
        ...(manifest.find && { find: traced('find manifest', manifest.find) }),
        ...(manifest.summary && { summary: traced('manifest summary', manifest.summary) }),
      },
    }),
  }
}
