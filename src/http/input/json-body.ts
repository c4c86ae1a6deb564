import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Issue, type IssueKind, MAX_ISSUES, Refusal } from '../../domain/errors.ts'
import { type Excess, findExcess, MAX_DEPTH } from '../../domain/text/json-bounds.ts'
import { parseJsonInSteps } from '../../domain/text/parse-json-in-steps.ts'
import type { BodyLimit } from '../contract/body-limit.ts'

/**
 * A shorter text has fewer values than any limit and cannot be deep enough to exhaust the stack; its depth is checked
 * after parsing.
 */
const SHORT_BYTES = 500

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** A body's JSON value and its dangerous content, which is reported together with the schema's issues. */
export type JsonBody = { value: unknown; issues: readonly Issue[] }

/**
 * Parses a JSON body and rejects content that breaks later code: NUL, lone surrogates, numbers that are not finite,
 * keys such as `__proto__`. Throws `malformed_json`, or `invalid_request` for a body with too many values, which is not
 * even parsed.
 */
export function readJson(body: Buffer, limit: BodyLimit): JsonBody {
  const excess = body.length <= SHORT_BYTES ? null : findExcess(body, limit)
  if (excess) throw refusalFor(excess, limit)
  const text = decode(body)
  return checked(parse(text), text, limit)
}

/** The same for a large body: other requests have their turn between its parts. */
export async function readLargeJson(body: Buffer, limit: BodyLimit): Promise<JsonBody> {
  // Its last part has just arrived, and all parts were copied together.
  await nextTurn()
  const excess = findExcess(body, limit)
  if (excess) throw refusalFor(excess, limit)
  await nextTurn()
  const text = decode(body)
  await nextTurn()
  const value = await parseInTurns(text)
  await nextTurn()
  return checked(value, text, limit)
}

async function parseInTurns(text: string): Promise<unknown> {
  try {
    for (const steps = parseJsonInSteps(text); ; ) {
      const { done, value } = steps.next()
      if (done) return value
      await nextTurn()
    }
  } catch {
    // Its message says where the text is wrong.
    return parse(text)
  }
}

function checked(value: unknown, text: string, limit: BodyLimit): JsonBody {
  // Valid UTF-8 has no lone surrogates and JSON no bare NUL: only an escape can produce them.
  const escapes = text.includes('\\u')
  const found = findFault(value, escapes, MAX_DEPTH)
  if (found === 'none') return { value, issues: NO_ISSUES }
  if (found === 'depth') throw refusalFor('depth', limit)
  const traps: Trap[] = []
  gatherTraps(value, '', escapes, traps)
  return { value, issues: traps.map(toIssue) }
}

const NO_ISSUES: readonly Issue[] = Object.freeze([])

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

type Trap = { issue: IssueKind; what: string; path: string }

/** The first fault of a value, found in one walk; `depth` if a value is nested in more than `levels` others. */
function findFault(value: unknown, escapes: boolean, levels: number): 'none' | 'trap' | 'depth' {
  if (value === null || typeof value !== 'object') return valueTrap(value, escapes) === null ? 'none' : 'trap'
  if (levels === 0) return 'depth'
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const fault = findFault(value[at], escapes, levels - 1)
      if (fault !== 'none') return fault
    }
    return 'none'
  }
  // Every member of a parsed value is its own property; Object.keys would allocate an array for each object.
  for (const key in value) {
    if (keyTrap(key, escapes)) return 'trap'
    const fault = findFault((value as Record<string, unknown>)[key], escapes, levels - 1)
    if (fault !== 'none') return fault
  }
  return 'none'
}

/** Collects the first `MAX_ISSUES` traps with their paths; the body's depth has been checked. */
function gatherTraps(value: unknown, path: string, escapes: boolean, traps: Trap[]): void {
  if (value === null || typeof value !== 'object') {
    const found = valueTrap(value, escapes)
    if (found) traps.push({ ...found, path })
    return
  }
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && traps.length < MAX_ISSUES; at++) {
      gatherTraps(value[at], `${path}[${at}]`, escapes, traps)
    }
    return
  }
  for (const key in value) {
    if (traps.length === MAX_ISSUES) return
    const innerPath = `${path}.${printable(key)}`
    const found = keyTrap(key, escapes)
    if (found) traps.push({ ...found, path: innerPath })
    else gatherTraps((value as Record<string, unknown>)[key], innerPath, escapes, traps)
  }
}

function valueTrap(value: unknown, escapes: boolean): Trap | null {
  if (typeof value === 'string') return escapes ? textTrap(value) : null
  if (typeof value !== 'number' || Number.isFinite(value)) return null
  return trap('out_of_range', 'a number too large to represent')
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

function keyTrap(key: string, escapes: boolean): Trap | null {
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

function refusalFor(excess: Excess, { values, keys }: BodyLimit): Refusal {
  if (excess === 'depth') {
    return new Refusal('malformed_json', `The body is nested deeper than ${MAX_DEPTH}.`)
  }
  const message =
    excess === 'values'
      ? `The body has more than ${values} values, the most that this endpoint accepts.`
      : `An object in the body has more than ${keys} fields, the most that this endpoint accepts.`
  return new Refusal('invalid_request', message, { issues: [{ field: '', issue: 'too_many', message }] })
}

function toIssue({ issue, what, path }: Trap): Issue {
  const field = path.replace(/^\./, '')
  const message = `${field || 'The body'} contains ${what}, which is not accepted.`
  return { field, issue, message }
}

/** A key that is safe to include in a response. */
function printable(key: string): string {
  return key.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, 100)
}
