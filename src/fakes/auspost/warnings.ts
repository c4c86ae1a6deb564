import { cubicKg } from './prices.ts'
import type { ItemDraft, ShipmentDraft } from './world.ts'

/** What is carried all the same. The reference says when, and shows neither code nor place. */
export function warningsOf({ from, to, items }: Pick<ShipmentDraft, 'from' | 'to' | 'items'>) {
  const startrack = items.some(({ product }) => product.network === 'startrack')
  const long = startrack && [from, to].some(({ lines }) => lines.length > 2)
  return [
    ...(long ? [{ message: 'Only the first two address lines are used for StarTrack products.' }] : []),
    ...items.flatMap(weightWarnings),
  ]
}

/** One weight is more than so many times the other: a slip of the hand, likely. */
const TIMES = 4

function weightWarnings({ reference, measures }: ItemDraft | Omit<ItemDraft, 'itemId' | 'tracking'>) {
  const [dead, cubic] = [measures.weightKg, cubicKg(measures)]
  if (cubic === 0) return []
  const context = reference === null ? {} : { context: { item_reference: reference } }
  const told = (more: string, less: string) => ({
    message: `The ${more} weight is more than four times the ${less} weight. Please verify the dimensions.`,
    ...context,
  })
  if (cubic > TIMES * dead) return [told('cubic', 'dead')]
  return dead > TIMES * cubic ? [told('dead', 'cubic')] : []
}
