import type { ErrorObject } from 'ajv'
import type { Issue, IssueKind } from '../../domain/errors.ts'
import { didYouMean } from '../../domain/text/nearest.ts'

/** At most this many unknown fields get a suggestion; with more, the documentation helps better. */
const MAX_HINTS = 10

/**
 * Formats a validator's errors for the caller: at most `max` issues, one for each field. Most of the work is the same
 * from one error to the next (the path of the object, the suggestion for a name), so it is done once.
 */
export function toIssues(errors: readonly ErrorObject[], max: number): Issue[] {
  const issues = new Map<string, Issue>()
  const toPath = pathWriter()
  const suggest = hinter()
  let unknown = 0
  for (const error of errors) {
    const describe = findDescriber(error)
    if (!describe) continue
    const isHinted = error.keyword !== 'additionalProperties' || ++unknown <= MAX_HINTS
    const { at, kind, sentence } = describe(error, isHinted ? suggest : noHint)
    const field = toPath(error.instancePath, at)
    // The first error of a field is the useful one: a value that is too long needs no message about its pattern too.
    if (issues.has(field)) continue
    issues.set(field, { field, issue: kind, message: `${field || 'The body'} ${sentence}` })
    if (issues.size === max) break
  }
  return [...issues.values()]
}

/** Undefined for errors that only repeat another. */
function findDescriber({ keyword, params, propertyName }: ErrorObject): Describer | undefined {
  // A nullable field is described by its other type.
  if (keyword === 'type' && params.type === 'null') return undefined
  // `propertyNames` reports an invalid name, because it knows the name.
  if (propertyName !== undefined && keyword !== 'propertyNames') return undefined
  return SENTENCES[keyword]
}

/**
 * Writes the paths of errors in the callers' notation: `/parcels/0` and `weight_kg` → `parcels[0].weight_kg`.
 * Consecutive errors are often in one object, so its path is remembered.
 */
function pathWriter(): (instancePath: string, member?: string) => string {
  let [object, written] = ['', '']
  const getObject = (path: string): string => {
    if (path === object) return written
    written = pathOf(path)
    object = path
    return written
  }
  const pathOf = (path: string): string => {
    if (path === '') return ''
    const last = path.lastIndexOf('/')
    const step = path.slice(last + 1)
    return stepped(
      getObject(path.slice(0, last)),
      step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step,
    )
  }
  // A member's name is not escaped.
  return (path, member = '') => (member === '' ? pathOf(path) : stepped(getObject(path), member))
}

function stepped(path: string, name: string): string {
  if (name <= '9~' && /^\d+$/.test(name)) return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

/** Suggests a name from the list for a misspelt one. */
type Hint = (word: string, names: readonly unknown[]) => string

const noHint: Hint = () => ''

/** A name that is misspelt in one parcel is usually misspelt in all, so each is looked up once. */
function hinter(): Hint {
  const known = new Map<string, { names: readonly unknown[]; hint: string }>()
  return (word, names) => {
    const before = known.get(word)
    if (before?.names === names) return before.hint
    const hint = didYouMean(word, names.map(String))
    known.set(word, { names, hint })
    return hint
  }
}

type Describer = (error: ErrorObject, hint: Hint) => Description
/** `sentence` completes the sentence, including the full stop. */
type Description = { at?: string; kind: IssueKind; sentence: string }

const SENTENCES: Readonly<Record<string, Describer>> = {
  required: ({ params }) => ({ at: params.missingProperty, kind: 'required', sentence: 'is required.' }),
  additionalProperties: (error, hint) => unknownField(error, hint),
  type: (error) => wrongType(error),
  enum: ({ params, data }, hint) => ({
    kind: 'invalid_value',
    sentence: `must be one of ${params.allowedValues.join(', ')}.${typeof data === 'string' ? hint(data, params.allowedValues) : ''}`,
  }),
  const: ({ params }) => ({
    kind: 'invalid_value',
    sentence: `must be ${JSON.stringify(params.allowedValue)}.`,
  }),
  minimum: (error) => outOfRange(error, `must be at least ${error.params.limit}`),
  maximum: (error) => outOfRange(error, `must be at most ${error.params.limit}`),
  exclusiveMinimum: (error) => outOfRange(error, `must be greater than ${error.params.limit}`),
  exclusiveMaximum: (error) => outOfRange(error, `must be less than ${error.params.limit}`),
  minLength: ({ params }) => ({
    kind: 'too_short',
    sentence: params.limit === 1 ? 'must not be empty.' : `must have at least ${params.limit} characters.`,
  }),
  maxLength: ({ params }) => ({
    kind: 'too_long',
    sentence: `must have at most ${params.limit} characters.`,
  }),
  minItems: ({ params }) => ({
    kind: 'too_short',
    sentence: `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}.`,
  }),
  maxItems: ({ params }) => ({ kind: 'too_many', sentence: `must have at most ${params.limit} entries.` }),
  maxProperties: ({ params }) => ({
    kind: 'too_many',
    sentence: `must have at most ${params.limit} entries.`,
  }),
  propertyNames: ({ params }) => ({
    at: String(params.propertyName).slice(0, LONGEST_NAME) || '""',
    kind: 'too_long',
    sentence: 'is not a name of 1 to 40 characters.',
  }),
  pattern: (error) => ({ kind: 'invalid_value', sentence: getRule(error, 'has the wrong form') }),
  format: (error) => ({ kind: 'invalid_value', sentence: getRule(error, 'has the wrong form') }),
}

const LONGEST_NAME = 60

function unknownField({ params, parentSchema }: ErrorObject, hint: Hint): Description {
  const name = String(params.additionalProperty)
  return {
    at: name.slice(0, LONGEST_NAME),
    kind: 'unknown_field',
    sentence: `is not a field here.${hint(name, listFields((parentSchema ?? {}) as object))}`,
  }
}

/** The names of a schema's fields: the same array on every call. */
function listFields(schema: { properties?: object }): readonly string[] {
  const known = FIELDS.get(schema)
  if (known) return known
  const fields = Object.keys(schema.properties ?? {})
  FIELDS.set(schema, fields)
  return fields
}
const FIELDS = new WeakMap<object, readonly string[]>()

function wrongType(error: ErrorObject): Description {
  const wanted = String(error.params.type)
  if (wanted === 'integer' && typeof error.data === 'number') {
    return { kind: 'invalid_value', sentence: getRule(error, 'must be a whole number') }
  }
  return {
    kind: 'invalid_type',
    sentence: `must be ${ARTICLES[wanted] ?? wanted}, not ${describeKind(error.data)}.`,
  }
}

function outOfRange(error: ErrorObject, sentence: string): Description {
  return { kind: 'out_of_range', sentence: getRule(error, sentence) }
}

/** The schema's own sentence for an invalid value, if it has one. */
function getRule({ parentSchema }: ErrorObject, otherwise: string): string {
  const rule: unknown = parentSchema?.['x-rule']
  const sentence = typeof rule === 'string' ? rule : otherwise
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

function describeKind(data: unknown): string {
  if (data === null) return 'null'
  if (Array.isArray(data)) return 'a list'
  return ARTICLES[typeof data] ?? typeof data
}
