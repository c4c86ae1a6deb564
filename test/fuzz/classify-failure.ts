import { assertConforms } from '../assert-matches-openapi.ts'
import type { Case } from './cases.ts'
import { type Operation, resolved } from './document.ts'

// biome-ignore lint/suspicious/noExplicitAny: any answer is read.
export type FuzzReply = { status: number; media: string; text: string; json: any }

/** Never the answer to a request whose form is right. */
const OF_WRONG_FORM = [400, 405, 413, 415]
/** Issues that say that the form is wrong, and never the account, the moment or another field. */
const FORM_ISSUES = new Set(['unknown_field', 'invalid_type'])

/** What is wrong with an answer, a sentence; null when it is as promised. */
export function mistakeOf(made: Case, { status, media, json, text }: FuzzReply): string | null {
  if (status >= 500) return `answered ${status}`
  try {
    if (made.url.startsWith('/') && !made.url.startsWith('//')) {
      assertConforms(made.method, made.url, status, { 'content-type': media }, json)
    }
  } catch (error) {
    return (error as Error).message
  }
  if (status === 429) return null
  if (made.form === 'bad' && status < 400) return `took what is wrong: ${status}`
  if (made.form !== 'good') return null
  // OAuth answers 400 to a scope that this client does not have (RFC 6749, 5.2), and has no other status for it.
  if (status === 400 && json?.error === 'invalid_scope') return null
  if (OF_WRONG_FORM.includes(status)) return `refused what is right: ${status} ${text.slice(0, 200)}`
  if (isFree(made.operation)) return null
  const issue = json?.errors?.find?.((one: { issue: string }) => FORM_ISSUES.has(one.issue))
  return issue ? `refused what is right: ${issue.message}` : null
}

/** Accounts as code have a schema of their own: this one lets any field through, theirs does not. */
function isFree({ body }: Operation): boolean {
  return typeof resolved(body?.schema ?? {}).additionalProperties === 'object'
}
