import type { Limits } from '../../account/account.ts'
import type { DangerousGoods } from '../../dangerous-goods/dangerous-goods.ts'
import { formatDollars } from '../../text/format-dollars.ts'
import { HIGH_VALUE_CENTS, type ProductType, type State } from '../../values.ts'
import type { Rule } from '../facts.ts'
import { getJourney, type Job } from '../job.ts'

/** Rules about the contents, their value and the recipient. */
export const goodsRules: readonly Rule[] = [
  {
    name: 'dangerous_goods',
    refuses: ({ limits }, job, facts) =>
      facts.dangerousGoods && offending(job, limits, refusesGoods) !== null,
    explain: ({ service, limits }, job) => {
      const { reference, goods } = offending(job, limits, refusesGoods) as Offender
      const parcel = `Parcel ${reference} is ${goods.unNumber}, class ${goods.classDivision}`
      if (!limits.dangerousGoods) return `${parcel}; ${service} takes no dangerous goods.`
      const { classes, packingGroups } = limits.dangerousGoods
      if (!classes.has(goods.classDivision)) {
        return `${parcel}; ${service} takes class ${[...classes].join(', ')} only.`
      }
      return `${parcel}, packing group ${goods.packingGroup}; ${service} takes packing group ${[...(packingGroups ?? [])].join(', ')} only.`
    },
  },
  {
    name: 'dangerous_goods_air',
    refuses: ({ limits }, job, facts) =>
      facts.dangerousGoods && offending(job, limits, refusesByAir) !== null,
    explain: ({ service, limits }, job) => {
      const { reference, goods } = offending(job, limits, refusesByAir) as Offender
      return `Parcel ${reference} is ${goods.unNumber} and not transportable by air; ${service} travels by air.`
    },
  },
  {
    name: 'product_types',
    refuses: ({ limits }, job) => refusedProduct(limits, job) !== null,
    explain: ({ service, limits }, job) => {
      const product = refusedProduct(limits, job) as ProductType
      const states = limits.productTypes.get(product)
      return states
        ? `${service} takes ${product} to ${[...states].join(', ')} only.`
        : `${service} does not take ${product}.`
    },
  },
  {
    name: 'declared_value',
    refuses: ({ limits }, job, { highValue }) =>
      overDeclared(limits, job) ||
      (highValue && !takesProduct(limits, 'high_value', getJourney(job).to.state)),
    explain: ({ service, limits }, job) =>
      overDeclared(limits, job)
        ? `${formatDollars(job.declaredValueCents ?? 0)} is declared; ${service} takes at most ${formatDollars(limits.maxDeclaredCents ?? 0)}.`
        : `${formatDollars(job.declaredValueCents ?? 0)} is declared; ${service} does not take goods worth more than ${formatDollars(HIGH_VALUE_CENTS)}.`,
  },
  {
    name: 'business_address',
    refuses: ({ limits }, { destination }) => limits.businessOnly && destination.residential,
    explain: ({ service }) => `${service} serves business addresses only.`,
  },
]

type Offender = { reference: string; goods: DangerousGoods }

function offending(
  job: Job,
  limits: Limits,
  refused: (limits: Limits, goods: DangerousGoods) => boolean,
): Offender | null {
  for (const { reference, dangerousGoods } of job.parcels) {
    if (dangerousGoods && refused(limits, dangerousGoods)) return { reference, goods: dangerousGoods }
  }
  return null
}

/** Classes match by text: a service that accepts 2.1 has not said that it accepts 2. */
function refusesGoods({ dangerousGoods }: Limits, { classDivision, packingGroup }: DangerousGoods): boolean {
  if (!dangerousGoods?.classes.has(classDivision)) return true
  // Articles such as batteries have no packing group.
  if (packingGroup === null || dangerousGoods.packingGroups === null) return false
  return !dangerousGoods.packingGroups.has(packingGroup)
}

function refusesByAir({ dangerousGoods }: Limits, { transportableByAir }: DangerousGoods): boolean {
  return dangerousGoods?.byAir === true && !transportableByAir
}

function refusedProduct(limits: Limits, job: Job): ProductType | null {
  if (job.productTypes.size === 0) return null
  const { state } = getJourney(job).to
  for (const product of job.productTypes) {
    if (!takesProduct(limits, product, state)) return product
  }
  return null
}

function takesProduct({ productTypes }: Limits, product: ProductType, state: State): boolean {
  const states = productTypes.get(product)
  return states === null || (states?.has(state) ?? false)
}

function overDeclared({ maxDeclaredCents }: Limits, { declaredValueCents }: Job): boolean {
  return maxDeclaredCents !== null && (declaredValueCents ?? 0) > maxDeclaredCents
}
