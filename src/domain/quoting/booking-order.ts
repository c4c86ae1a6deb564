import type { BookingOrder } from '../account/account.ts'
import type { Option } from './decision.ts'

/** Comparator for `Array.sort`, which keeps equal options in the document's order. */
export function inOrder(order: BookingOrder): (a: Option, b: Option) => number {
  switch (order.by) {
    case 'cheapest':
      return byPriceThenArrival
    case 'fastest':
      return (a, b) => a.window.toMs - b.window.toMs || a.priceCents - b.priceCents
    case 'preferred': {
      const rank = (option: Option) => {
        const index = order.providers.indexOf(option.service.provider)
        return index === -1 ? order.providers.length : index
      }
      return (a, b) => rank(a) - rank(b) || byPriceThenArrival(a, b)
    }
  }
}

function byPriceThenArrival(a: Option, b: Option): number {
  return a.priceCents - b.priceCents || a.window.toMs - b.window.toMs || a.window.fromMs - b.window.fromMs
}
