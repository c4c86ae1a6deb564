import { type Issue, Refusal, type RefusalCode } from './errors.ts'
import { summariseIssues } from './summarise-issues.ts'

/** Throws a refusal with the issues: `invalid_request`, or the given code. */
export function refuse(issues: readonly Issue[], code: RefusalCode = 'invalid_request'): never {
  throw new Refusal(code, summariseIssues(issues), { issues })
}
