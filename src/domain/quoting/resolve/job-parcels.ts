import type { Account } from '../../account/account.ts'
import { resolveDangerousGoods } from '../../dangerous-goods/resolve.ts'
import type { RequestParcel } from '../../delivery/request.ts'
import type { Issue } from '../../errors.ts'
import type { JobParcel } from '../job.ts'

/**
 * A request's parcels in the job's form, and their mistakes that need the account to detect; if there are
 * issues, do not use the parcels. A parcel without a type is a carton.
 */
export function jobParcels(
  account: Account,
  parcels: readonly RequestParcel[],
): { parcels: JobParcel[]; issues: Issue[] } {
  const issues: Issue[] = []
  const resolved = parcels.map((parcel, index): JobParcel => {
    const field = `parcels[${index}]`
    issues.push(...measureIssues(parcel, field))
    return {
      reference: parcel.reference,
      type: parcel.type ?? 'carton',
      lengthCm: parcel.lengthCm,
      widthCm: parcel.widthCm,
      heightCm: parcel.heightCm,
      weightKg: parcel.weightKg,
      quantity: parcel.quantity,
      dangerousGoods: goodsOf(account, parcel, field, issues),
    }
  })
  return { parcels: resolved, issues }
}

function goodsOf(
  account: Account,
  { dangerousGoods }: RequestParcel,
  field: string,
  issues: Issue[],
): JobParcel['dangerousGoods'] {
  if (!dangerousGoods) return null
  const resolved = resolveDangerousGoods(account.dangerousGoods, dangerousGoods, `${field}.dangerous_goods`)
  if ('goods' in resolved) return resolved.goods
  issues.push(...resolved.issues)
  return null
}

function measureIssues({ lengthCm, widthCm, heightCm, weightKg }: RequestParcel, field: string): Issue[] {
  const measures = [
    ['length_cm', lengthCm, LONGEST_CM],
    ['width_cm', widthCm, LONGEST_CM],
    ['height_cm', heightCm, LONGEST_CM],
    ['weight_kg', weightKg, HEAVIEST_KG],
  ] as const
  return measures.flatMap(([name, measure, max]): Issue[] => {
    if (measure <= max) return []
    const message = `${measure} is more than any parcel has; the most is ${max}.`
    return [{ field: `${field}.${name}`, issue: 'out_of_range', message }]
  })
}

/** Longer and heavier than a road train's load; within these limits every weight and price is an exact number. */
const LONGEST_CM = 5_000
const HEAVIEST_KG = 100_000
