import { signedIn } from '../../kit/answer.ts'
import type { AdapterContext } from '../../port/adapter-context.ts'
import type { Carrier } from '../../port/carrier.ts'
import { formatBooking, formatManifest } from './format.ts'
import { parseBooking, parseCancel, parseManifest, parseScans } from './parse.ts'

/**
 * Freight; credential `api_key`. No idempotency keys and no look-up: a person has to resolve an unknown
 * outcome.
 */
export function bigHaul({ send, credentials }: AdapterContext): Carrier {
  const headers = { authorization: `Token ${credentials.api_key ?? ''}` }

  async function poll(connotes: readonly string[]) {
    const path = `/scans?connotes=${connotes.map(encodeURIComponent).join(',')}`
    return parseScans(await send({ method: 'GET', path, headers, body: undefined }))
  }

  return {
    recovery: { kind: 'neither' },

    check: async () => signedIn(await poll([])),

    async book(consignment) {
      return parseBooking(
        await send({ method: 'POST', path: '/bookings', headers, body: formatBooking(consignment) }),
      )
    },

    async cancel(connote) {
      const path = `/bookings/${encodeURIComponent(connote)}/cancel`
      return parseCancel(await send({ method: 'POST', path, headers, body: {} }))
    },

    manifest: {
      async submit(order) {
        return parseManifest(
          await send({ method: 'POST', path: '/manifests', headers, body: formatManifest(order) }),
        )
      },
    },

    track: { batch: 25, everyMinutes: 15, poll },
  }
}
