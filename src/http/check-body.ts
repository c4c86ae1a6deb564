import type { FastifyRequest } from 'fastify'
import { crossFieldIssues } from '../domain/delivery/cross-field.ts'
import { type Issue, Refusal } from '../domain/errors.ts'
import { rawAccountIssues } from '../domain/quoting/raw-issues.ts'
import { mayUseStore } from '../operations/caller.ts'
import type { Endpoint } from './endpoint.ts'
import { checkOf } from './validate.ts'

/**
 * Refuses a body with every mistake that its schema, the fields between them and the account can tell, at once. What is
 * well-formed passes: the operation checks it further.
 */
export function bodyChecker({
  body: schema,
  bodyForm,
  bodyOptional,
  crossFields,
  accountIssues,
}: Endpoint): (request: FastifyRequest) => void {
  // A form without a schema words its mistakes itself.
  if (bodyForm === 'form' && !schema) return () => {}
  const check = schema ? checkOf(schema) : () => []
  return ({ body, bodyIssues, entry, caller }) => {
    if (body === undefined && (bodyOptional || !schema)) return
    if (body === undefined) {
      throw new Refusal('malformed_json', 'The request has no body; a JSON object is needed.')
    }
    const issues = together(bodyIssues ?? [], check(body))
    // What is well-formed is checked further by the operation, which knows the account as well.
    if (issues.length === 0) return
    if (!entry || !caller) refuseBody(issues)
    const sight = (store: { reference: string }) => mayUseStore(caller, store)
    if (accountIssues) refuseBody(together(issues, accountIssues(entry.account, body, sight)))
    if (!crossFields) refuseBody(issues)
    const between = together(issues, crossFieldIssues(body, crossFields))
    refuseBody(together(between, rawAccountIssues(entry.account, body, sight)))
  }
}

function refuseBody(issues: readonly Issue[]): never {
  const [first] = issues
  const message = issues.length === 1 && first ? first.message : `The request has ${issues.length} mistakes.`
  throw new Refusal('invalid_request', message, { issues })
}

/** The second list's issues join the first's unless their field has been spoken of. */
function together(said: readonly Issue[], more: readonly Issue[]): Issue[] {
  const fields = new Set(said.map(({ field }) => field))
  return [...said, ...more.filter(({ field }) => !fields.has(field))]
}
