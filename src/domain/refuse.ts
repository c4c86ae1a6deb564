import { type Issue, MAX_ISSUES, Refusal, type RefusalCode } from './errors.ts'

/** Throws a refusal with the issues: `invalid_request`, or the given code. */
export function refuse(issues: readonly Issue[], code: RefusalCode = 'invalid_request'): never {
  throw new Refusal(code, summariseIssues(issues), { issues })
}

/** How many mistakes the sentence lists; `errors` lists them all. */
const MAX_NAMED = 3

/** The number of mistakes, and the first few: a log line with only `detail` still says where to look. */
export function summariseIssues(issues: readonly Issue[]): string {
  const [first] = issues
  if (issues.length === 1 && first) return first.message
  // The search stops at `MAX_ISSUES`.
  const count = `${issues.length} mistakes${issues.length < MAX_ISSUES ? '' : ' and perhaps more'}`
  return `${count}: ${listFirstIssues(issues)}`
}

/** The messages of the first few, and the number of the others. */
export function listFirstIssues(issues: readonly Issue[]): string {
  const named = issues.slice(0, MAX_NAMED).map(({ message }) => message)
  const others = issues.length - named.length
  return [...named, ...(others > 0 ? [`And ${others} more.`] : [])].join(' ')
}
