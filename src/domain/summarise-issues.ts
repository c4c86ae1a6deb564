import { type Issue, MAX_ISSUES } from './errors.ts'

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
