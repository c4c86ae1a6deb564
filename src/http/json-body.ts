import { type Issue, type IssueKind, Refusal } from '../domain/errors.ts'

/** More than a person writes by hand or a program needs; deeper text is an attack on recursive code. */
const MAX_DEPTH = 20
/** Ten times the largest honest request (200 parcels, 500 items); each mistake in it may become an issue. */
const MAX_VALUES = 50_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** A body's JSON value, and what in it breaks programs further in, for the schema's mistakes to join. */
export type JsonBody = { value: unknown; issues: readonly Issue[] }

/**
 * The JSON value of a body, searched for what breaks programs further in: NUL, lone surrogates, numbers that
 * are not finite, keys that reach for prototypes. Throws `malformed_json`, or `invalid_request` for a body of
 * too many values.
 */
export function readJson(body: Buffer): JsonBody {
  const text = decode(body)
  const value = parse(text)
  // Valid UTF-8 has no lone surrogates and JSON no bare NUL: only an escape can make them.
  const escapes = text.includes('\\u')
  const trap = findTrap(value, 1, { valuesLeft: MAX_VALUES, escapes })
  if (!trap) return { value, issues: NO_ISSUES }
  if (trap.issue === 'depth' || trap.issue === 'too_many') throw refusalFor(trap)
  return { value, issues: [...allTraps(value, '', escapes)].slice(0, MOST_ISSUES).map(issueOf) }
}

const NO_ISSUES: readonly Issue[] = Object.freeze([])
const MOST_ISSUES = 100

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new Refusal('malformed_json', 'The body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw new Refusal('malformed_json', 'The body is empty; a JSON object is needed.')
  try {
    return JSON.parse(text)
  } catch (error) {
    const where = /position (\d+)/.exec(String((error as Error).message))?.[1]
    throw new Refusal('malformed_json', `The body is not JSON${where ? ` from position ${where} on` : ''}.`)
  }
}

type Trap = { issue: IssueKind | 'depth'; what: string; path: string }
type Search = { valuesLeft: number; escapes: boolean }

/** The recursion ends at MAX_DEPTH, so no body can exhaust the stack. */
function findTrap(value: unknown, depth: number, search: Search): Trap | null {
  if (--search.valuesLeft < 0) return trap('too_many', `more than ${MAX_VALUES} values`)
  if (typeof value === 'string') return search.escapes ? textTrap(value) : null
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : trap('out_of_range', 'a number too large to represent')
  }
  if (value === null || typeof value !== 'object') return null
  if (depth > MAX_DEPTH) return trap('depth', '')
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = findTrap(value[i], depth + 1, search)
      if (found) return { ...found, path: `[${i}]${found.path}` }
    }
    return null
  }
  for (const key of Object.keys(value)) {
    const found = keyTrap(key, search) ?? findTrap((value as Record<string, unknown>)[key], depth + 1, search)
    if (found) return { ...found, path: `.${printable(key)}${found.path}` }
  }
  return null
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

function keyTrap(key: string, { escapes }: Search): Trap | null {
  if (FORBIDDEN_KEYS.has(key)) return trap('unknown_field', 'a name that is never a field')
  return escapes ? textTrap(key) : null
}

function textTrap(text: string): Trap | null {
  if (text.includes('\0')) return trap('invalid_value', 'the character NUL')
  return text.isWellFormed() ? null : trap('invalid_value', 'half of a surrogate pair')
}

function trap(issue: Trap['issue'], what: string): Trap {
  return { issue, what, path: '' }
}

/** Every trap with its path; for bodies that have one, and are known to be neither deep nor endless. */
function* allTraps(value: unknown, path: string, escapes: boolean): Generator<Trap> {
  if (value === null || typeof value !== 'object') {
    const found = findTrap(value, 1, { valuesLeft: 1, escapes })
    if (found) yield { ...found, path }
    return
  }
  const list = Array.isArray(value)
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = list ? `${path}[${key}]` : `${path}.${printable(key)}`
    const found = list ? null : keyTrap(key, { valuesLeft: 1, escapes })
    if (found) yield { ...found, path: innerPath }
    else yield* allTraps(inner, innerPath, escapes)
  }
}

function refusalFor(found: Trap): Refusal {
  if (found.issue === 'depth') {
    return new Refusal('malformed_json', `The body is nested deeper than ${MAX_DEPTH}.`)
  }
  const issue = issueOf(found)
  return new Refusal('invalid_request', issue.message, { issues: [issue] })
}

function issueOf({ issue, what, path }: Trap): Issue {
  const field = path.replace(/^\./, '')
  const message = `${field || 'The body'} contains ${what}, which is not accepted.`
  return { field, issue: issue as IssueKind, message }
}

/** A key as it may stand in an answer. */
function printable(key: string): string {
  return key.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, 100)
}
