import type { Issue } from '../domain/errors.ts'

/**
 * Reads an OAuth form as RFC 6749 section 3.2 has it: a parameter without a value was not sent, and one that comes
 * twice is a mistake.
 */
export function readForm(body: Buffer): { value: Record<string, string>; issues: Issue[] } {
  const value: Record<string, string> = {}
  const issues: Issue[] = []
  for (const [field, text] of new URLSearchParams(body.toString('utf8'))) {
    if (text === '') continue
    if (Object.hasOwn(value, field)) {
      issues.push({ field, issue: 'invalid_value', message: `${field} is given twice.` })
    }
    Object.defineProperty(value, field, { value: text, enumerable: true, configurable: true })
  }
  return { value, issues }
}
