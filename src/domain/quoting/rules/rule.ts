import type { Service } from '../../account/account.ts'
import type { ExclusionRule } from '../decision.ts'
import type { Facts } from '../facts.ts'
import type { Job } from '../job.ts'

/** One named reason to exclude a service. `says` is called only for a job that the rule excludes. */
export type Rule = {
  name: ExclusionRule
  refuses(service: Service, job: Job, facts: Facts): boolean
  explain(service: Service, job: Job, facts: Facts): string
}
