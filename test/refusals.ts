import assert from 'node:assert/strict'
import type { Account, Limits } from '../src/domain/account/account.ts'
import { findExclusion } from '../src/domain/quoting/decide.ts'
import type { ExclusionRule } from '../src/domain/quoting/decision.ts'
import { type Rule, toFacts } from '../src/domain/quoting/facts.ts'
import type { Job, JobParcel } from '../src/domain/quoting/job.ts'
import { carton, jobAt, serviceOf } from './jobs.ts'

/** A job, a service with other limits if given, the rule that refuses it (null: none) and its text. */
export type RefusalCase = {
  name: string
  service: string
  limits?: Partial<Limits>
  job: Partial<Job>
  rule: ExclusionRule | null
  detail?: RegExp
}

/** Checks every case, and that each of `rules` refuses at least one. */
export function expectRefusals(
  account: Account,
  rules: readonly Rule[],
  cases: readonly RefusalCase[],
): void {
  for (const { name, service, limits, job, rule, detail = /./ } of cases) {
    const refused = refusalOf(account, service, job, limits)
    assert.equal(refused?.rule ?? null, rule, name)
    if (refused) assert.match(refused.detail, detail, name)
  }
  const refusing = new Set(cases.map(({ rule }) => rule))
  for (const { name } of rules) assert.ok(refusing.has(name), `no case for the rule ${name}`)
}

export function refusalOf(
  account: Account,
  name: string,
  changes: Partial<Job>,
  limits: Partial<Limits> = {},
) {
  const service = serviceOf(account, name)
  const job = jobAt(account, changes)
  return findExclusion({ ...service, limits: { ...service.limits, ...limits } }, job, toFacts(job))
}

/** Cartons BOX-1, BOX-2, … with these changes. */
export function parcels(...changes: Partial<JobParcel>[]): Pick<Job, 'parcels'> {
  return {
    parcels: changes.map((change, index) => ({ ...carton, reference: `BOX-${index + 1}`, ...change })),
  }
}
