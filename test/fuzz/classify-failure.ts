import { assertConforms } from '../assert-matches-openapi.ts'
import type { Reply } from '../harness/http.ts'
import type { Case } from './cases.ts'
import { type Operation, resolved } from './document.ts'

/** Never returned to a request of valid form. */
const OF_WRONG_FORM = [400, 405, 413, 415]
/** Issues that concern the form only, and never the account, the moment or another field. */
const FORM_ISSUES = new Set(['unknown_field', 'invalid_type'])

/** What is wrong with a response, in a sentence; null if it is as documented. */
export function mistakeOf(made: Case, { status, headers, json, text }: Reply): string | null {
  if (status >= 500) return `answered ${status}`
  try {
    if (made.url.startsWith('/') && !made.url.startsWith('//')) {
      assertConforms(
        made.method,
        made.url,
        status,
        { 'content-type': `${headers['content-type'] ?? ''}` },
        json,
      )
    }
  } catch (error) {
    return (error as Error).message
  }
  if (status === 429) return null
  if (made.form === 'bad' && status < 400) return `accepted an invalid request: ${status}`
  if (made.form !== 'good') return null
  // OAuth (RFC 6749, 5.2) has no other status than 400 for a scope that this client does not have, for a code that is not
  // known, and for a parameter that only this grant type requires.
  if (status === 400 && OAUTH_ERRORS.has(json?.error)) return null
  if (status === 400 && GRANT_PARAMETERS.test(json?.error_description)) return null
  if (OF_WRONG_FORM.includes(status)) return `rejected a valid request: ${status} ${text.slice(0, 200)}`
  if (isFree(made.operation)) return null
  const issue = json?.errors?.find?.((one: { issue: string }) => FORM_ISSUES.has(one.issue))
  return issue ? `rejected a valid request: ${issue.message}` : null
}

/** Account documents have their own schema: OpenAPI's accepts any field, theirs does not. */
function isFree({ body }: Operation): boolean {
  return typeof resolved(body?.schema ?? {}).additionalProperties === 'object'
}

const OAUTH_ERRORS: ReadonlySet<unknown> = new Set(['invalid_scope', 'invalid_grant', 'invalid_target'])
const GRANT_PARAMETERS = /^(code, redirect_uri and code_verifier are|refresh_token is) required\.$/
