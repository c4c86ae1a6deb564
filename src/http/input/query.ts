import { parse } from 'fast-querystring'
import type { z } from 'zod'
import type { Issue } from '../../domain/errors.ts'
import { bodyCleaner, type CleanBody } from './clean-body.ts'
import { hasMoreParameters } from './form-body.ts'
import { type Check, makeCheck, toJsonSchema } from './validate.ts'

/** Ten times what any endpoint accepts. */
const MAX_PARAMETERS = 100

/**
 * Rejects a query of thousands of parameters before parsing it: they fit into the request head, and took milliseconds.
 */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {}
  return hasMoreParameters(text, MAX_PARAMETERS) ? TOO_MANY : parse(text)
}
const TOO_MANY = Object.freeze({})

/** The names and values of the query, and the URL as it was received. */
type QueryRequest = { query: unknown; url: string }
/** The parsed query and its issues. */
type Read = { query: unknown; issues: readonly Issue[] }

/**
 * Reads a query as strictly as a body: declared names only, each once, numbers and booleans in the format of their
 * type. The schema is read at its first use: there are a hundred, and start-up should not wait for them.
 */
export function queryReader(schema: z.ZodObject | undefined): (request: QueryRequest) => Read {
  const read = makeReader(schema)
  return (request) => (request.query === TOO_MANY ? tooManyParameters() : read(request))
}

function tooManyParameters(): Read {
  const message = `The query has more than ${MAX_PARAMETERS} parameters.`
  return { query: NOTHING.query, issues: [{ field: '', issue: 'too_many', message }] }
}

function makeReader(schema: z.ZodObject | undefined): (request: QueryRequest) => Read {
  if (!schema) return noQuery
  const check = makeCheck(schema)
  const clean = bodyCleaner(schema, 'kept')
  let types: ReadonlyMap<string, string> | null = null
  return (request) => {
    types ??= toTypes(schema)
    return readQuery(request, types, clean, check)
  }
}

/** For an endpoint that declares no query parameters. */
function noQuery({ query }: QueryRequest): Read {
  const names = Object.keys(query as object)
  if (names.length === 0) return NOTHING
  const issues = names.map(
    (field): Issue => ({
      field,
      issue: 'unknown_field',
      message: `${field} is not a query parameter here.`,
    }),
  )
  return { query: NOTHING.query, issues }
}
const NOTHING: Read = Object.freeze({ query: Object.freeze({}), issues: [] })

function readQuery(
  { query: raw, url }: QueryRequest,
  types: ReadonlyMap<string, string>,
  clean: CleanBody,
  check: Check,
): Read {
  // Without a prototype, `__proto__` is an unknown name like any other.
  const query: Record<string, unknown> = Object.create(null)
  const issues: Issue[] = undecoded(url).map((field) => ({
    field,
    issue: 'invalid_value',
    message: `${field} is not percent-encoded UTF-8.`,
  }))
  for (const [name, value] of Object.entries(raw as object)) {
    if (typeof value === 'string') query[name] = typed(value, types.get(name))
    else issues.push({ field: name, issue: 'conflict', message: `${name} is sent more than once.` })
    if (typeof value === 'string' && value.includes('\0')) {
      issues.push({
        field: name,
        issue: 'invalid_value',
        message: `${name} contains a character that is not accepted.`,
      })
    }
  }
  clean(query, issues)
  issues.push(...check(query))
  return { query, issues }
}

/** The parameters that the framework could not decode and passed on unchanged. */
function undecoded(url: string): string[] {
  if (!/[%\x80-\xff]/.test(url)) return NONE
  const [, query = ''] = url.split(/[?#](.*)/s)
  return query
    .split('&')
    .filter((pair) => !isUtf8(pair))
    .map((pair) => parseFieldName(pair.split('=', 1)[0] as string))
}
const NONE: string[] = []

function parseFieldName(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  return isUtf8(spaced) ? decodeURIComponent(spaced) : spaced
}

/** A character outside ASCII was not percent-encoded. */
function isUtf8(text: string): boolean {
  try {
    decodeURIComponent(text)
    return !/[\x80-\xff]/.test(text)
  } catch {
    return false
  }
}

/** A value in the wrong format for its type stays text, and the schema reports it. */
function typed(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)))
    return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function toTypes(schema: z.ZodObject): Map<string, string> {
  const properties = (toJsonSchema(schema).properties ?? {}) as Record<string, { type?: string }>
  return new Map(Object.entries(properties).map(([name, { type }]) => [name, type ?? 'string']))
}
