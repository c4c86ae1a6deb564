import { z } from 'zod'
import type { IssueKind } from '../../errors.ts'
import { didYouMean, nearest } from '../../text/nearest.ts'
import { constantsAt, descriptionAt, keysAt, type Path } from '../document/schema-at.ts'
import { type AccountMistake, type MistakesInSteps, toIssue, valueAt } from './mistake.ts'

/** Unknown keys reported for each object: each takes time, because it is compared with every known key. */
const MAX_REPORTED_KEYS = 1_000

/** The schema's type names for people. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of names and values',
  record: 'an object of names and values',
}

function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? `the text ${shown(value)}` : shown(value)
}

/** A value as JSON, truncated when it is long. */
function shown(value: unknown): string {
  // JSON writes YAML's .nan and .inf as null.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Whether a limit counts characters or entries, and not the value of a number. */
function isSize(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}

function describeSize(value: unknown): string {
  const size = (value as { length: number }).length
  if (typeof value === 'string') return size === 1 ? '1 character' : `${size} characters`
  return size === 1 ? '1 entry' : `${size} entries`
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** The schema's issues with a document, in words, each with a remedy. Zod's own messages never appear. */
export function shapeMistakes(
  schema: z.ZodType,
  document: unknown,
  issues: readonly z.core.$ZodIssue[],
): AccountMistake[] {
  return issues.flatMap((issue) => toMistakes(schema, document, issue, []))
}

/** The same for a long document, which may have as many issues as values. */
export function* shapeMistakesInSteps(
  schema: z.ZodType,
  document: unknown,
  issues: readonly z.core.$ZodIssue[],
): MistakesInSteps {
  for (const issue of issues) {
    yield* toMistakes(schema, document, issue, [])
    yield
  }
}

/** The same as one text instead of a list: `timeout_ms: Is 5. At least 100 is needed.` */
export function formatIssues(schema: z.ZodType, value: unknown, issues: readonly z.core.$ZodIssue[]): string {
  const sentences = shapeMistakes(schema, value, issues).map((mistake) => {
    const { field, message } = toIssue(mistake)
    return field === '' ? message : `${field}: ${message}`
  })
  return sentences.join(' ')
}

function toMistakes(
  schema: z.ZodType,
  document: unknown,
  issue: z.core.$ZodIssue,
  above: Path,
): AccountMistake[] {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  const value = valueAt(document, path)
  const read = typeof value === 'number' && !isSecret(path) ? { read: value } : {}
  const mistake = (kind: IssueKind, wrong: string, remedy: string) => [{ path, kind, wrong, remedy, ...read }]
  switch (issue.code) {
    case 'invalid_union':
      if (value === undefined) return [missing(schema, path)]
      if (issue.errors.length === 0) {
        const known = constantsAt(schema, path)
        const guess = typeof value === 'string' ? didYouMean(value, known).trim() : ''
        return mistake('invalid_value', `is ${shown(value)}`, guess || `write ${list(known)}`)
      }
      if (
        !isZodMessage(issue) &&
        issue.errors.every((branch) => branch.every((inner) => inner.path.length === 0))
      )
        return mistake('invalid_value', `is ${shown(value)}`, `write ${issue.message}`)
      return meantBranch(issue.errors, value).flatMap((inner) => toMistakes(schema, document, inner, path))
    case 'unrecognized_keys':
      return issue.keys.slice(0, MAX_REPORTED_KEYS).map((key) => unknownKey(schema, path, key))
    case 'invalid_key':
      return [unknownKey(schema, path.slice(0, -1), String(path.at(-1)))]
    case 'invalid_value': {
      if (value === undefined) return [missing(schema, path)]
      const words = issue.values.map(String)
      const guess = typeof value === 'string' ? didYouMean(value, words).trim() : ''
      return mistake('invalid_value', `is ${shown(value)}`, guess || `write ${list(words)}`)
    }
    case 'invalid_type':
      if (value === undefined) return [missing(schema, path)]
      return mistake(
        'invalid_type',
        `must be ${TYPES[issue.expected] ?? issue.expected}${isSecret(path) ? '' : `, not ${describeType(value)}`}`,
        typeRemedy(issue.expected, value, path) ?? descriptionAt(schema, path) ?? 'change it',
      )
    case 'invalid_format':
      return mistake(
        'invalid_value',
        isSecret(path) ? 'has the wrong format' : `is ${shown(value)}`,
        findNearest(issue, value) ?? describeRule(issue, schema, path),
      )
    case 'too_big':
      return mistake(
        isSize(issue.origin) ? 'too_long' : 'out_of_range',
        isSize(issue.origin) ? `has ${describeSize(value)}` : `is ${shown(value)}`,
        `at most ${issue.maximum} ${isSize(issue.origin) && Number(issue.maximum) !== 1 ? 'are' : 'is'} allowed`,
      )
    case 'too_small':
      return mistake(
        isSize(issue.origin) ? 'too_short' : 'out_of_range',
        isSize(issue.origin) ? `has ${describeSize(value)}` : `is ${shown(value)}`,
        `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum} ${isSize(issue.origin) && Number(issue.minimum) !== 1 ? 'are' : 'is'} needed`,
      )
    default:
      return mistake(
        'invalid_value',
        value === undefined ? 'is missing' : `is ${shown(value)}`,
        describeRule(issue, schema, path),
      )
  }
}

/** The nearest of the words that a rule lists, such as `one of NSW, VIC`. */
function findNearest({ message }: z.core.$ZodIssue, value: unknown): string | null {
  const words = /^one of (.+)$/.exec(message)?.[1]?.split(', ')
  return (typeof value === 'string' && words && didYouMean(value, words).trim()) || null
}

/** What to write, from the message that the schema gives its rule. */
function describeRule(issue: z.core.$ZodIssue, schema: z.ZodType, path: Path): string {
  if (!isZodMessage(issue)) return `write ${issue.message}`
  const format = issue.code === 'invalid_format' ? FORMATS[issue.format] : undefined
  return format ? `write ${format}` : (descriptionAt(schema, path) ?? 'change it')
}

/** Formats for people, for schemas without a message. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address such as "jobs@example.com"',
  url: 'an address such as "https://shop.example.com"',
  datetime: 'a time such as "2026-11-24T14:05:00Z"',
  date: 'a date such as "2026-11-24"',
}

const zodMessage = z.locales.en().localeError

/** Whether no message was given to the rule: Zod then writes "Invalid input" or the pattern. */
function isZodMessage(issue: z.core.$ZodIssue): boolean {
  const own = zodMessage(issue as z.core.$ZodRawIssue)
  return issue.message === (typeof own === 'string' ? own : own?.message)
}

/** The writer may have put the secret itself where its name belongs, so no message repeats the value. */
function isSecret(path: Path): boolean {
  return path.includes('credentials') || path.includes('client_secret')
}

/** The branch of a union that the writer most likely meant. */
function meantBranch(branches: readonly z.core.$ZodIssue[][], value: unknown): readonly z.core.$ZodIssue[] {
  const near = branches.find(
    ([first]) => first?.code === 'invalid_value' && first.path.length === 0 && isNear(value, first),
  )
  if (near) return near
  const rightType = branches.filter(
    ([first]) => first && !(first.path.length === 0 && isOfOtherType(first, value)),
  )
  return rightType.find(([first]) => first!.code !== 'invalid_value') ?? rightType[0] ?? branches.at(-1) ?? []
}

/** A fraction where a whole number is required still has the right type. */
function isOfOtherType(issue: z.core.$ZodIssue, value: unknown): boolean {
  return issue.code === 'invalid_type' && !(issue.expected === 'int' && typeof value === 'number')
}

function isNear(value: unknown, issue: z.core.$ZodIssueInvalidValue): boolean {
  return typeof value === 'string' && nearest(value, issue.values.map(String)) !== null
}

function unknownKey(schema: z.ZodType, path: Path, key: string): AccountMistake {
  const known = keysAt(schema, path)
  const guess = didYouMean(key, known).trim()
  const remedy =
    guess ||
    (known.length > 0 && known.length <= 30 ? `the known fields are ${known.join(', ')}` : 'remove it')
  return { path: [...path, key], kind: 'unknown_field', wrong: 'is not a known field', remedy }
}

function missing(schema: z.ZodType, path: Path): AccountMistake {
  const description = descriptionAt(schema, path)
  return {
    path,
    kind: 'required',
    wrong: 'is missing',
    remedy: description ? `add it: ${description}` : 'add it',
  }
}

function typeRemedy(expected: string, value: unknown, path: Path): string | null {
  if (value === null) return 'leave the field out, or give it a value'
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return `write it in quotes: "${withLeadingZero(value, path)}"`
  if (expected !== 'int' && expected !== 'number') return null
  const number = typeof value === 'string' ? numberIn(value) : value
  if (typeof number !== 'number') return null
  const isDollars = isCents(path) && typeof value === 'string' && /[$.]/.test(value)
  if (isDollars || (expected === 'int' && !Number.isInteger(number))) return wholeNumberRemedy(number, path)
  return typeof value === 'string' ? `write it without quotes: ${number}` : null
}

/** Postcodes and phone numbers lose their first 0 where they are written as numbers. */
function withLeadingZero(value: number | boolean, path: Path): string {
  const [name, digits] = [path.findLast((step) => typeof step === 'string') ?? '', String(value)]
  if (name.includes('post') && /^\d{3}$/.test(digits)) return `0${digits}`
  return /phone|mobile/.test(name) && /^\d{9}$/.test(digits) ? `0${digits}` : digits
}

/** The number in a text such as "8.90", "$8.90" or "1,450"; null if it is not a number. */
function numberIn(text: string): number | null {
  const plain = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
  return /^[-+]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null
}

function isCents(path: Path): boolean {
  return String(path.findLast((step) => typeof step === 'string') ?? '').includes('cents')
}

/** Rounding would change a price by a hundred: dollars are the likely slip where cents are wanted. */
function wholeNumberRemedy(number: number, path: Path): string {
  const cents = Number((number * 100).toFixed(6))
  if (isCents(path) && Number.isInteger(cents)) return `write ${cents} if you mean $${number.toFixed(2)}`
  if (isCents(path)) return 'write a whole number of cents'
  return `write a whole number, such as ${Math.floor(number)} or ${Math.ceil(number)}`
}
