import { signedIn } from '../../kit/answer.ts'
import type { AdapterContext } from '../../port/adapter.ts'
import type { Carrier } from '../../port/carrier.ts'
import { formatOrder, formatShipment } from './format.ts'
import { parseBooking, parseDelete, parseFound, parseFoundOrder, parseNextRun, parseOrder } from './parse.ts'
import { parseTracking } from './parse-tracking.ts'

/**
 * From sending: 1 s in our own queue, 3 s until the slowest shipment is made, 2 s until a look-up sees it, 2
 * s of margin. An earlier look-up could miss a booking, and a retry would make a second one.
 */
const SETTLE_MS = 8_000

/** Network post; credential `api_key`. */
export function southernParcels({ send, credentials }: AdapterContext): Carrier {
  const headers = { 'x-api-key': credentials.api_key ?? '' }
  const get = (path: string) => send({ method: 'GET', path, headers, body: undefined })

  async function nextRun(query: Record<string, string>) {
    return parseNextRun(await get(`/shipping/v1/runs/next?${new URLSearchParams(query)}`))
  }

  return {
    recovery: { kind: 'look_up', settleMs: SETTLE_MS },

    check: async () => signedIn(await nextRun({ location: 'check' })),

    async book(consignment) {
      const body = formatShipment(consignment)
      return parseBooking(await send({ method: 'POST', path: '/shipping/v1/shipments', headers, body }))
    },

    async find(key) {
      return parseFound(await get(`/shipping/v1/shipments?reference=${encodeURIComponent(key)}`))
    },

    async cancel(shipmentId) {
      const path = `/shipping/v1/shipments/${encodeURIComponent(shipmentId)}`
      return parseDelete(await send({ method: 'DELETE', path, headers, body: undefined }))
    },

    manifest: {
      async submit(order) {
        return parseOrder(
          await send({ method: 'PUT', path: '/shipping/v1/orders', headers, body: formatOrder(order) }),
        )
      },
      async find(key) {
        return parseFoundOrder(await get(`/shipping/v1/orders?reference=${encodeURIComponent(key)}`))
      },
    },

    declares: true,

    track: {
      batch: 10,
      everyMinutes: 5,
      async poll(shipmentIds) {
        return parseTracking(
          await get(`/shipping/v1/track?ids=${shipmentIds.map(encodeURIComponent).join(',')}`),
        )
      },
    },

    availableFrom: (storeReference, readyMs) =>
      nextRun({ location: storeReference, from: new Date(readyMs).toISOString() }),
  }
}
