import { cubicKg } from './prices.ts'
import type { ItemDraft, ShipmentDraft } from './state.ts'

type Warning = { message: string; context?: Readonly<Record<string, string>> }

/** Warnings about shipments that are accepted but look odd. The reference shows no codes. */
export function warningsOf(drafts: readonly ShipmentDraft[]): { warnings?: Warning[] } {
  const warnings = drafts.flatMap(({ from, to, items }) => {
    const startrack = items.some(({ product }) => product.network === 'startrack')
    const long = startrack && [from, to].some(({ lines }) => lines.length > 2)
    return [...(long ? [{ message: TWO_LINES }] : []), ...items.flatMap(weightWarnings)]
  })
  return warnings.length > 0 ? { warnings } : {}
}

const TWO_LINES = 'Only the first two address lines are used for StarTrack products.'

/** One weight is more than this many times the other: probably a typing error. */
const TIMES = 4

function weightWarnings({ reference, measures }: ItemDraft): Warning[] {
  const [dead, cubic] = [measures.weightKg, cubicKg(measures)]
  const compare = (more: string, less: string) => [
    {
      message: `The ${more} weight is more than four times the ${less} weight. Please verify the dimensions.`,
      ...(reference === null ? {} : { context: { item_reference: reference } }),
    },
  ]
  if (cubic > TIMES * dead) return compare('cubic', 'dead')
  return cubic > 0 && dead > TIMES * cubic ? compare('dead', 'cubic') : []
}
