import { type Issue, MOST_ISSUES } from './errors.ts'

/** How many mistakes a sentence names; `errors` has them all. */
const MOST_NAMED = 3

/** How many mistakes there are, and the first of them: a log line that has only `detail` then says where to look. */
export function summariseIssues(issues: readonly Issue[]): string {
  const [first] = issues
  if (issues.length === 1 && first) return first.message
  // Nobody looks for more of them than so many.
  const count = `${issues.length} mistakes${issues.length < MOST_ISSUES ? '' : ' and perhaps more'}`
  return `${count}: ${listFirstIssues(issues)}`
}

/** The sentences of the first, and how many there are besides. */
export function listFirstIssues(issues: readonly Issue[]): string {
  const named = issues.slice(0, MOST_NAMED).map(({ message }) => message)
  const others = issues.length - named.length
  return [...named, ...(others > 0 ? [`And ${others} more.`] : [])].join(' ')
}
