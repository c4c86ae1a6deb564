import type { Channel, Notifier } from '../notify/notifier.ts'
import type { PostWebhook } from '../notify/webhook-post.ts'
import { asPart } from './tracing/current.ts'
import type { Tracer } from './tracing/span.ts'

/** Wraps each send to a person in a span: its channel and outcome, but not the recipient. */
export function tracedNotifier(
  { sms, email }: Notifier,
  tracer: Tracer,
  servers: { sms: string | null; email: string | null },
): Notifier {
  const traced = (kind: keyof typeof servers, channel: Channel | null): Channel | null =>
    channel && {
      ...channel,
      send(message) {
        const attributes = {
          'drover.message.kind': kind,
          'server.address': serverOf(servers[kind]),
          ...(kind === 'sms' ? POST : {}),
        }
        return asPart(tracer, `send ${kind}`, { kind: 'client', attributes }, async (span) => {
          const outcome = await channel.send(message)
          span.set({ 'drover.outcome': outcome.kind })
          if (outcome.kind !== 'yes') span.fail(outcome.kind)
          return outcome
        })
      },
    }
  return { sms: traced('sms', sms), email: traced('email', email) }
}

/** Wraps each webhook post in a span. `cause`: the traceparent of the request that caused the event. */
export function tracedWebhooks(post: PostWebhook, tracer: Tracer): PostWebhook {
  return (url, headers, body, cause = null) => {
    const attributes = { ...POST, 'server.address': serverOf(url) }
    const links = cause === null ? [] : [cause]
    return asPart(tracer, 'post webhook', { kind: 'client', attributes, links }, async (span) => {
      const answer = await post(url, headers, body)
      if (answer.kind === 'failed') span.fail('failed')
      else {
        span.set({ 'http.response.status_code': answer.status })
        if (answer.status >= 300) span.fail(`${answer.status}`)
      }
      return answer
    })
  }
}

const POST = { 'http.request.method': 'POST' }

function serverOf(url: string | null): string | undefined {
  return URL.parse(url ?? '')?.hostname
}
