import { type Issue, Refusal, type RefusalCode } from './errors.ts'
import { summariseIssues } from './summarise-issues.ts'

/** Throws `invalid_request`, or the code that is given, with the issues. */
export function refuse(issues: readonly Issue[], code: RefusalCode = 'invalid_request'): never {
  throw new Refusal(code, summariseIssues(issues), { issues })
}
