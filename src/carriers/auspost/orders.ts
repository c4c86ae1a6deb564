import type { Carrier, Lodged, ManifestOrder, Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import type { Ask, Download } from './labels.ts'
import { isInAnOrder, parseOrder, parseOwnOrder } from './parse-order.ts'
import { parseOrderOf } from './parse-shipments.ts'
import { shipmentIdsOf } from './ref.ts'
import { readReply } from './refusals.ts'

/** Shipments made an order of, which is when they cost money. `account` is the path of ours. */
export function orderDesk(ask: Ask, download: Download, account: string): NonNullable<Carrier['manifest']> {
  return {
    async submit(order) {
      const shipments = order.refs.flatMap(shipmentIdsOf).map((shipment_id) => ({ shipment_id }))
      const asked = { order_reference: order.key, payment_method: 'CHARGE_TO_ACCOUNT', shipments }
      const response = await ask('PUT', '/orders', asked)
      return isInAnOrder(response) ? ownOrderOr(response, order) : parseOrder(response)
    },
    async find(_key, order) {
      return ownOrder(order)
    },
    async summary(orderId) {
      const response = await download(`${account}/orders/${encodeURIComponent(orderId)}/summary`)
      return readReply(response, ({ body }) =>
        Buffer.isBuffer(body) ? { kind: 'yes', value: body } : { kind: 'unknown', said: 'it is no document' },
      )
    },
  }

  /** The order that our shipments are in, when it is the one made under our key. */
  async function ownOrder({ key, refs }: ManifestOrder): Promise<Outcome<Lodged | null>> {
    const [first = ''] = refs.flatMap(shipmentIdsOf)
    const found = parseOrderOf(await ask('GET', `/shipments?shipment_ids=${encodeURIComponent(first)}`))
    if (found.kind !== 'yes') return found
    if (found.value === null) return { kind: 'yes', value: null }
    return parseOwnOrder(await ask('GET', `/orders/${encodeURIComponent(found.value)}`), key)
  }

  /** What is in an order already costs money already: it is either ours to take up, or a no that stays. */
  async function ownOrderOr(response: CarrierResponse, order: ManifestOrder): Promise<Outcome<Lodged>> {
    const own = await ownOrder(order)
    if (own.kind === 'yes' && own.value) return { kind: 'yes', value: own.value }
    return own.kind === 'yes' ? parseOrder(response) : { kind: 'unknown', said: own.said }
  }
}
