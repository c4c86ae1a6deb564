import { type Issue, MOST_ISSUES } from '../errors.ts'
import type { ParcelView } from './cross-field-view.ts'

/** Checks the parcels of one request against each other, and a parcel's own fields against each other. */
export function parcelIssues(parcels: readonly ParcelView[]): Issue[] {
  const firstOf = new Map<unknown, number>()
  const issues: Issue[] = []
  let units = 0
  for (const [index, parcel] of parcels.entries()) {
    if (typeof parcel.quantity === 'number' && parcel.quantity > 0) units += parcel.quantity
    if (issues.length >= MOST_ISSUES) continue
    const field = `parcels[${index}]`
    issues.push(...dangerousGoodsIssues(parcel, field))
    if (typeof parcel.reference !== 'string') continue
    const first = firstOf.get(parcel.reference)
    if (first === undefined) firstOf.set(parcel.reference, index)
    else {
      const message = `"${parcel.reference}" is the reference of parcels[${first}] already; identical parcels are one with a quantity.`
      issues.push({ field: `${field}.reference`, issue: 'conflict', message })
    }
  }
  if (units > MOST_UNITS) {
    const message = `There are ${units} parcels in all; one delivery has at most ${MOST_UNITS}.`
    issues.push({ field: 'parcels', issue: 'too_many', message })
  }
  return issues
}

function dangerousGoodsIssues(
  { containsDangerousGoods, dangerousGoods }: ParcelView,
  field: string,
): Issue[] {
  if (containsDangerousGoods === true && dangerousGoods === null) {
    const message =
      'contains_dangerous_goods is true: say which, with dangerous_goods.dangerous_goods_definition.'
    return [{ field: `${field}.dangerous_goods`, issue: 'required', message }]
  }
  if (containsDangerousGoods !== true && dangerousGoods !== null) {
    const message = 'dangerous_goods is given, but contains_dangerous_goods is not true.'
    return [{ field: `${field}.dangerous_goods`, issue: 'conflict', message }]
  }
  return []
}

/** Every unit gets an article id and a label. */
const MOST_UNITS = 10_000
