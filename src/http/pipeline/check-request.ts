import type { FastifyRequest } from 'fastify'
import { crossFieldIssues } from '../../domain/delivery/cross-field.ts'
import { type Issue, MAX_ISSUES, Refusal } from '../../domain/errors.ts'
import { preSchemaIssues } from '../../domain/quoting/resolve/pre-schema-checks.ts'
import { refuse } from '../../domain/refuse.ts'
import { record } from '../../domain/untyped-json.ts'
import { toResolveContext } from '../../operations/directory/caller.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { Endpoint, RefusedBody } from '../contract/endpoint.ts'
import { bodyCleaner, type Emptiness } from '../input/clean-body.ts'
import { queryReader } from '../input/query.ts'
import { makeCheck } from '../input/validate.ts'

/**
 * Reads the query, or rejects the request with every issue of the key, of the schemas of query and body, of the rules
 * between fields and of the account, all at once. A well-formed request passes: the operation checks it further. Only
 * a rejected request may have to wait, and its promise never has a value.
 */
export function requestChecker(
  deps: HttpDeps,
  endpoint: Endpoint,
): (
  request: FastifyRequest,
  ofKey: readonly Issue[],
) => ReturnType<ReturnType<typeof queryReader>>['query'] | Promise<never> {
  const readQuery = queryReader(endpoint.query)
  const bodyIssues = bodyChecker(endpoint)
  return (request, ofKey) => {
    const { query, issues: ofQuery } = readQuery(request)
    const ofBody = bodyIssues(request)
    if (ofKey.length + ofQuery.length + ofBody.length === 0) return query
    const { entry, caller, body } = request
    const refused = { deps, entry, caller, params: request.params as Record<string, string>, body }
    const moreOfQuery = endpoint.moreOfQuery?.({ entry, caller, query: record(query) }) ?? []
    const refuseWith = (ofWholeBody: readonly Issue[]) =>
      refuse(
        [...ofKey, ...oneOfEachField([...ofQuery, ...moreOfQuery]), ...ofWholeBody],
        ofKey.length > 0 ? 'invalid_idempotency_key' : 'invalid_request',
      )
    // More issues than a developer fixes at once; the others are reported once these are fixed.
    if (ofBody.length >= MAX_ISSUES) return refuseWith(ofBody)
    const withBeyond = (beyondSchema: readonly Issue[]) =>
      refuseWith(oneOfEachField([...ofBody, ...beyondSchema]).slice(0, MAX_ISSUES))
    const beyond = issuesBeyondSchema(endpoint, refused)
    return beyond instanceof Promise ? beyond.then(withBeyond) : withBeyond(beyond)
  }
}

/** The issues of a body by itself. Throws `malformed_json` if a required body is missing. */
function bodyChecker({
  body: schema,
  bodyForm,
  bodyOptional,
  crossFields,
  clearable,
}: Endpoint): (request: FastifyRequest) => Issue[] {
  // A form without a schema reports its own issues.
  if (bodyForm === 'form' && !schema) return () => NONE
  const validate = schema ? makeCheck(schema) : () => NONE
  const clean = schema && bodyCleaner(schema, toEmptiness(crossFields, clearable))
  const check = (body: unknown): Issue[] => {
    if (!clean) return validate(body)
    const invisible: Issue[] = []
    const cleared = clean(body, invisible)
    const issues = validate(body)
    for (const name of cleared) (body as Record<string, unknown>)[name] = null
    return invisible.length === 0 ? issues : [...invisible, ...issues]
  }
  return (request) => {
    // Go clients of openapi-generator send `null` for an optional body that they leave out.
    if (request.body === null && bodyOptional) request.body = undefined
    const { body, bodyIssues } = request
    if (body === undefined && (bodyOptional || !schema)) return NONE
    if (body === undefined) {
      throw new Refusal('malformed_json', 'The request has no body; a JSON object is needed.')
    }
    if (!bodyIssues || bodyIssues.length === 0) return check(body)
    const ofText = oneOfEachField(bodyIssues)
    if (ofText.length >= MAX_ISSUES) return ofText
    return oneOfEachField([...ofText, ...check(body)]).slice(0, MAX_ISSUES)
  }
}
const NONE: Issue[] = []

/** Orders come from shops, which send every optional field. Elsewhere `null` may have a meaning of its own. */
export function toEmptiness(crossFields: Endpoint['crossFields'], clears: Endpoint['clearable']): Emptiness {
  if (crossFields === undefined) return 'kept'
  return clears ? { clears } : 'absent'
}

/** The issues that the rules between fields and the account find in a body that its schema rejected. */
export function issuesBeyondSchema(
  { crossFields, moreIssues }: Endpoint,
  refused: RefusedBody,
): Issue[] | Promise<Issue[]> {
  const { body, entry, caller } = refused
  if (body === undefined) return NONE
  const more = moreIssues?.(refused) ?? []
  // Endpoints of orders have rules between fields, and find the rest without waiting.
  if (more instanceof Promise || !crossFields || !entry || !caller) return more
  return [
    ...crossFieldIssues(body, crossFields),
    ...preSchemaIssues(entry.account, body, crossFields, toResolveContext(entry, caller)),
    ...more,
  ]
}

/** If several checks report the same field, the first one counts; the schema's issues come before all others. */
export function oneOfEachField(issues: readonly Issue[]): Issue[] {
  const first = new Map<string, Issue>()
  for (const issue of issues) if (!first.has(issue.field)) first.set(issue.field, issue)
  return [...first.values()]
}
