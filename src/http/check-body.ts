import type { FastifyRequest } from 'fastify'
import { crossFieldIssues } from '../domain/delivery/cross-field.ts'
import { type Issue, Refusal } from '../domain/errors.ts'
import { rawAccountIssues } from '../domain/quoting/raw-issues.ts'
import { contextOf, refuse } from '../operations/resolve-delivery.ts'
import type { HttpDeps } from './deps.ts'
import type { Endpoint, RefusedBody } from './endpoint.ts'
import { checkOf } from './validate.ts'

/**
 * Refuses a body with every mistake that its schema, the fields between them and the account can tell, at once. What is
 * well-formed passes: the operation checks it further.
 */
export function bodyChecker(deps: HttpDeps, endpoint: Endpoint): (request: FastifyRequest) => void {
  const { body: schema, bodyForm, bodyOptional } = endpoint
  // A form without a schema words its mistakes itself.
  if (bodyForm === 'form' && !schema) return () => {}
  const check = schema ? checkOf(schema) : () => []
  return ({ body, bodyIssues, entry, caller, params }) => {
    if (body === undefined && (bodyOptional || !schema)) return
    if (body === undefined) {
      throw new Refusal('malformed_json', 'The request has no body; a JSON object is needed.')
    }
    const issues = [...(bodyIssues ?? []), ...check(body)]
    // What is well-formed is checked further by the operation, which knows the account as well.
    if (issues.length === 0) return
    const refused = { deps, entry, caller, params: params as Record<string, string>, body }
    refuse(oneOfEachField([...issues, ...issuesBeyondSchema(endpoint, refused)]))
  }
}

function issuesBeyondSchema({ crossFields, moreIssues }: Endpoint, refused: RefusedBody): Issue[] {
  const { body, entry, caller } = refused
  const told = moreIssues?.(refused) ?? []
  if (!crossFields || !entry || !caller) return told
  return [
    ...crossFieldIssues(body, crossFields),
    ...rawAccountIssues(entry.account, body, crossFields, contextOf(entry, caller)),
    ...told,
  ]
}

/** Of a field that several speak of the first is heard: the schema before all else. */
function oneOfEachField(issues: readonly Issue[]): Issue[] {
  const first = new Map<string, Issue>()
  for (const issue of issues) if (!first.has(issue.field)) first.set(issue.field, issue)
  return [...first.values()]
}
