import type { Service } from '../../account/account.ts'
import type { ExclusionRule } from '../decision.ts'
import type { Facts } from '../facts.ts'
import type { Job } from '../job.ts'

/** One named reason why a service is no option. `says` is asked only of a job that it refuses. */
export type Rule = {
  name: ExclusionRule
  refuses(service: Service, job: Job, facts: Facts): boolean
  says(service: Service, job: Job, facts: Facts): string
}
