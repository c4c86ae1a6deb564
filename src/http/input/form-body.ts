import type { Issue } from '../../domain/errors.ts'

/** More parameters than any of our forms has. */
const MAX_PARAMETERS = 100

/**
 * Reads an OAuth form as in RFC 6749 section 3.2: a parameter without a value counts as not sent; a repeated parameter
 * is an issue, and so is text that is not valid UTF-8.
 */
export function readForm(body: Buffer): { value: Record<string, string>; issues: Issue[] } {
  const value: Record<string, string> = {}
  const issues: Issue[] = []
  const wrong = (field: string, what: string): void => {
    issues.push({ field, issue: 'invalid_value', message: `${field || 'The form'} ${what}.` })
  }
  const form = body.toString('utf8')
  // Counted before parsing: thousands of parameters take milliseconds to parse.
  if (hasMoreParameters(form, MAX_PARAMETERS)) {
    wrong('', `has more than ${MAX_PARAMETERS} parameters`)
    return { value, issues }
  }
  for (const [field, text] of new URLSearchParams(form)) {
    if (text === '') continue
    if (Object.hasOwn(value, field)) wrong(field, 'is sent twice')
    else if (text.includes('\0')) wrong(field, 'contains the character NUL, which is not accepted')
    // The decoder replaces invalid UTF-8 with this character.
    else if (text.includes('\uFFFD')) wrong(field, 'is not valid UTF-8')
    Object.defineProperty(value, field, { value: text, enumerable: true, configurable: true })
  }
  return { value, issues }
}

/** Whether a query or a form has more than `max` parameters, without parsing it. */
export function hasMoreParameters(text: string, max: number): boolean {
  let at = -1
  for (let parameters = 1; parameters <= max; parameters++) {
    at = text.indexOf('&', at + 1)
    if (at < 0) return false
  }
  return true
}
