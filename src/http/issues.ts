import type { ErrorObject } from 'ajv'
import type { Issue, IssueKind } from '../domain/errors.ts'
import { didYouMean } from '../domain/text/nearest.ts'

/**
 * A validator's error in the caller's own words; null for errors that only repeat another. `hints`: an unknown field is
 * told the nearest name.
 */
export function issueOf(error: ErrorObject, hints = true): Issue | null {
  const tell = SENTENCES[error.keyword]
  // What may be null as well is told by what else it may be.
  if (!tell || (error.keyword === 'type' && error.params.type === 'null')) return null
  // A name's own mistake is told by `propertyNames`, which knows which name.
  if (error.propertyName !== undefined && error.keyword !== 'propertyNames') return null
  const { at, kind, says } = tell(error, hints)
  const field = fieldPath(error.instancePath, at)
  return { field, issue: kind, message: `${field || 'The body'} ${says}.`.replace(/([.?])\.$/, '$1') }
}

/** `/parcels/0` and `weight_kg` → `parcels[0].weight_kg`. */
export function fieldPath(instancePath: string, member = ''): string {
  const steps = instancePath === '' ? [] : instancePath.slice(1).split('/')
  if (member !== '') steps.push(member)
  let path = ''
  for (const [index, step] of steps.entries()) {
    // A member's name is not escaped; most names hold nothing that is.
    const isEscaped = step.includes('~') && !(member !== '' && index === steps.length - 1)
    const name = isEscaped ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step
    const isIndex = name !== '' && name <= '9~' && /^\d+$/.test(name)
    path += isIndex ? `[${name}]` : path === '' ? name : `.${name}`
  }
  return path
}

type Told = { at?: string; kind: IssueKind; says: string }

const SENTENCES: Readonly<Record<string, (error: ErrorObject, hints: boolean) => Told>> = {
  required: ({ params }) => ({ at: params.missingProperty, kind: 'required', says: 'is required' }),
  additionalProperties: (error, hints) => unknownField(error, hints),
  type: (error) => wrongType(error),
  enum: ({ params, data }) => ({
    kind: 'invalid_value',
    says: `must be one of ${params.allowedValues.join(', ')}.${typeof data === 'string' ? didYouMean(data, params.allowedValues.map(String)) : ''}`,
  }),
  const: ({ params }) => ({ kind: 'invalid_value', says: `must be ${JSON.stringify(params.allowedValue)}` }),
  minimum: (error) => outOfRange(error, `must be at least ${error.params.limit}`),
  maximum: (error) => outOfRange(error, `must be at most ${error.params.limit}`),
  exclusiveMinimum: (error) => outOfRange(error, `must be greater than ${error.params.limit}`),
  exclusiveMaximum: (error) => outOfRange(error, `must be less than ${error.params.limit}`),
  minLength: ({ params }) => ({
    kind: 'too_short',
    says: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
  }),
  maxLength: ({ params }) => ({ kind: 'too_long', says: `must have at most ${params.limit} characters` }),
  minItems: ({ params }) => ({
    kind: 'too_short',
    says: `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`,
  }),
  maxItems: ({ params }) => ({ kind: 'too_many', says: `must have at most ${params.limit} entries` }),
  maxProperties: ({ params }) => ({ kind: 'too_many', says: `must have at most ${params.limit} entries` }),
  propertyNames: ({ params }) => ({
    at: String(params.propertyName).slice(0, LONGEST_NAME) || '""',
    kind: 'too_long',
    says: 'is not a name of 1 to 40 characters',
  }),
  pattern: (error) => ({ kind: 'invalid_value', says: ruleOf(error, 'has the wrong form') }),
  format: (error) => ({ kind: 'invalid_value', says: ruleOf(error, 'has the wrong form') }),
}

const LONGEST_NAME = 60

function unknownField({ params, parentSchema }: ErrorObject, hints: boolean): Told {
  const name = String(params.additionalProperty)
  const known = Object.keys((parentSchema?.properties ?? {}) as object)
  return {
    at: name.slice(0, LONGEST_NAME),
    kind: 'unknown_field',
    says: `is not a field here.${hints ? didYouMean(name, known) : ''}`,
  }
}

function wrongType(error: ErrorObject): Told {
  const wanted = String(error.params.type)
  if (wanted === 'integer' && typeof error.data === 'number') {
    return { kind: 'invalid_value', says: ruleOf(error, 'must be a whole number') }
  }
  return { kind: 'invalid_type', says: `must be ${ARTICLES[wanted] ?? wanted}, not ${kindOf(error.data)}` }
}

function outOfRange(error: ErrorObject, says: string): Told {
  return { kind: 'out_of_range', says: ruleOf(error, says) }
}

/** The schema's own sentence about a value, where it has one. */
function ruleOf({ parentSchema }: ErrorObject, otherwise: string): string {
  const rule: unknown = parentSchema?.['x-rule']
  return typeof rule === 'string' ? rule : otherwise
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

function kindOf(data: unknown): string {
  if (data === null) return 'null'
  if (Array.isArray(data)) return 'a list'
  return ARTICLES[typeof data] ?? typeof data
}
