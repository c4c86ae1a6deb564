import { signedIn } from '../../kit/answer.ts'
import type { AdapterContext } from '../../port/adapter-context.ts'
import type { Carrier } from '../../port/carrier.ts'
import { formatJob } from './format.ts'
import { parseBooking, parseCancel, parseEarliestDriver, parseWebhook } from './parse.ts'
import { isSignedBySwiftly } from './signature.ts'

/** On-demand couriers; credentials `api_key` and `webhook_secret`. */
export function swiftly({ send, credentials, wallMs }: AdapterContext): Carrier {
  const headers = { authorization: `Bearer ${credentials.api_key ?? ''}` }

  async function earliestDriver(query: Record<string, string>) {
    const path = `/v2/drivers/earliest?${new URLSearchParams(query)}`
    return parseEarliestDriver(await send({ method: 'GET', path, headers, body: undefined }))
  }

  return {
    recovery: { kind: 'idempotency_key' },

    check: async () => signedIn(await earliestDriver({ pickup: 'check' })),

    async book(consignment) {
      const keyed = { ...headers, 'idempotency-key': consignment.key }
      return parseBooking(
        await send({ method: 'POST', path: '/v2/jobs', headers: keyed, body: formatJob(consignment) }),
      )
    },

    async cancel(jobId) {
      const path = `/v2/jobs/${encodeURIComponent(jobId)}/cancel`
      return parseCancel(await send({ method: 'POST', path, headers, body: {} }))
    },

    readWebhook(request) {
      const signed = isSignedBySwiftly(
        request.headers,
        request.body,
        credentials.webhook_secret ?? '',
        wallMs(),
      )
      return signed ? parseWebhook(request.body) : null
    },

    availableFrom: (storeReference, readyMs) =>
      earliestDriver({ pickup: storeReference, ready_at: new Date(readyMs).toISOString() }),
  }
}
