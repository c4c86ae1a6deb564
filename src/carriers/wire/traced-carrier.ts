import { asPart } from '../../observability/tracing/current.ts'
import type { Tracer } from '../../observability/tracing/span.ts'
import type { Carrier, Outcome } from '../port/carrier.ts'

type Names = { provider: string; adapter: string }

/**
 * Wraps each carrier operation in a span with its outcome: yes, no or unknown, never the carrier's message.
 */
export function tracedCarrier(carrier: Carrier, tracer: Tracer, { provider, adapter }: Names): Carrier {
  const told = <A extends unknown[], T>(
    operation: string,
    ask: (...given: A) => Promise<Outcome<T>>,
  ): ((...given: A) => Promise<Outcome<T>>) => {
    const attributes = {
      'drover.carrier': provider,
      'drover.adapter': adapter,
      'drover.operation': operation,
    }
    return (...given) =>
      asPart(tracer, `carrier ${operation}`, { kind: 'internal', attributes }, async (span) => {
        const outcome = await ask(...given)
        span.set({ 'drover.outcome': outcome.kind })
        if (outcome.kind === 'no') span.set({ 'drover.cure': outcome.retry })
        if (outcome.kind === 'unknown') span.fail('unknown')
        return outcome
      })
  }
  const { check, rates, book, find, cancel, availableFrom, label, track, manifest } = carrier
  return {
    ...carrier,
    book: told('book', book),
    ...(check && { check: told('check', check) }),
    ...(rates && { rates: told('rates', rates) }),
    ...(find && { find: told('find', find) }),
    ...(cancel && { cancel: told('cancel', cancel) }),
    ...(availableFrom && { availableFrom: told('available from', availableFrom) }),
    ...(label && { label: { ...label, fetch: told('label', label.fetch) } }),
    ...(track && { track: { ...track, poll: told('track', track.poll) } }),
    ...(manifest && {
      manifest: {
        submit: told('submit manifest', manifest.submit),
        ...(manifest.find && { find: told('find manifest', manifest.find) }),
        ...(manifest.summary && { summary: told('manifest summary', manifest.summary) }),
      },
    }),
  }
}
