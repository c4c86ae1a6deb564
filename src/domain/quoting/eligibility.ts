import type { Account, Service } from '../account/account.ts'
import type { Exclusion } from './decision.ts'
import { type Facts, factsOf, type Rule } from './facts.ts'
import type { Job } from './job.ts'
import { carriageRules, rateCardRules } from './rules/rules-of-carriage.ts'
import { goodsRules } from './rules/rules-of-goods.ts'
import { parcelRules } from './rules/rules-of-parcels.ts'

/** The first rule that excludes `service` for `job`, with this job's figures; null when it can take the job. */
export function exclusionOf(service: Service, job: Job, facts: Facts): Exclusion | null {
  for (const { name, refuses, explain } of RULES) {
    if (refuses(service, job, facts)) return { service, rule: name, detail: explain(service, job, facts) }
  }
  return null
}

/** Why no service of the account can take `job` at any time, ignoring hours and cut-offs; null when one can. */
export function exclusionsForever({ services }: Pick<Account, 'services'>, job: Job): Exclusion[] | null {
  const facts = factsOf(job)
  const exclusions: Exclusion[] = []
  for (const service of services) {
    const exclusion = exclusionOf(service, job, facts)
    if (!exclusion) return null
    exclusions.push(exclusion)
  }
  return exclusions
}

/** In the order of `EXCLUSION_RULES`; exclusions by the calendar come later, in `decide`. */
export const RULES: readonly Rule[] = [...carriageRules, ...parcelRules, ...goodsRules].map(withCard)

/** Areas and weights missing from a courier's price list use the same rule names as a service's own limits. */
function withCard(rule: Rule): Rule {
  const ofCard = rateCardRules.find(({ name }) => name === rule.name)
  if (!ofCard) return rule
  return {
    name: rule.name,
    refuses: (...job) => rule.refuses(...job) || ofCard.refuses(...job),
    explain: (...job) => (rule.refuses(...job) ? rule : ofCard).explain(...job),
  }
}
