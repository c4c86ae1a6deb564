import { z } from 'zod'
import { type Issue, MAX_ISSUES } from '../../domain/errors.ts'
import type { SentForms } from '../../domain/text/sent-forms.ts'
import { cleanText, invisibleIn, refusalOfInvisible, type TextClass } from '../../domain/text/text-class.ts'
import { textFields } from './text-fields.ts'

/**
 * What an optional field means that is `""`, only blanks or `null`. Shops send these with every order.
 * `absent`: it was not sent. `kept`: it is checked as it is. `clears`: these fields of the body lose the value that they
 * have now, the others are checked as they are.
 */
export type Emptiness = 'absent' | 'kept' | { readonly clears: readonly string[] }

/**
 * Cleans a body in place, of any shape, and adds an issue for each text with an invisible character. Answers the fields
 * that clear a value; they are removed from the body, as the schema does not know them empty.
 */
export type CleanBody = (body: unknown, issues: Issue[]) => readonly string[]

/** The cleaning of one value: the value as it is to be read. `path` leads to it, and is restored. */
type Clean = (value: unknown, path: Path, found: Found) => unknown
/** `sent`: the texts that cleaning brought into another normalisation form, as they were. */
type Found = { issues: Issue[]; sent: Record<string, string> }
type Path = (string | number)[]

/** Compiled from the schema of a body, as the validator is. */
export function bodyCleaner(schema: z.ZodType, emptiness: Emptiness): CleanBody {
  const clears = typeof emptiness === 'object' ? emptiness.clears : []
  const clean = makeCleaner(schema, emptiness)
  return (body, issues) => {
    const cleared = isObject(body) ? clears.filter((name) => name in body && isEmpty(body[name])) : []
    for (const name of cleared) delete (body as Record<string, unknown>)[name]
    if (!clean) return cleared
    const sent: Record<string, string> = {}
    clean(body, [], { issues, sent })
    if (isObject(body) && Object.keys(sent).length > 0) SENT_FORMS.set(body, sent)
    return cleared
  }
}

/** By body, so that only the endpoints that echo a body know of it. */
const SENT_FORMS = new WeakMap<object, SentForms>()

/** The texts of a cleaned body that were sent in another normalisation form. */
export function sentFormsOf(body: object): SentForms | undefined {
  return SENT_FORMS.get(body)
}

/** Null where there is nothing to clean. Unions are left as they are. */
function makeCleaner(schema: z.core.$ZodType, emptiness: Emptiness): Clean | null {
  const textClass = textFields.get(schema as z.ZodType)?.textClass
  if (textClass) return textCleaner(textClass)
  if (schema instanceof z.ZodOptional) return makeCleaner(schema.unwrap(), emptiness)
  if (schema instanceof z.ZodObject) return objectCleaner(schema, emptiness)
  if (schema instanceof z.ZodArray) return listCleaner(schema, emptiness)
  return null
}

function textCleaner(textClass: TextClass): Clean {
  return (value, path, { issues, sent }) => {
    // No field holds that much text, and its length is an issue of its own.
    if (typeof value !== 'string' || value.length > LONGEST_TEXT) return value
    const clean = cleanText(value, textClass)
    const invisible = invisibleIn(clean, textClass)
    if (invisible && issues.length < MAX_ISSUES) {
      const field = pathText(path)
      issues.push({ field, issue: 'invalid_value', message: `${field} ${refusalOfInvisible(invisible)}` })
    }
    if (clean !== value && clean === value.normalize('NFC')) sent[pathText(path)] = value
    return clean
  }
}

function listCleaner(schema: z.ZodArray, emptiness: Emptiness): Clean | null {
  const clean = makeCleaner(schema.element, emptiness)
  if (clean === null) return null
  return (value, path, found) => {
    if (!Array.isArray(value)) return value
    for (let at = 0; at < value.length && at < LONGEST_LIST; at++) {
      path.push(at)
      value[at] = clean(value[at], path, found)
      path.pop()
    }
    return value
  }
}

function objectCleaner(schema: z.ZodObject, emptiness: Emptiness): Clean | null {
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    // What an amended object or list holds replaces the whole of it: there is nothing to clear in it.
    const clean = makeCleaner(field, typeof emptiness === 'object' ? 'absent' : emptiness)
    const dropsEmpty = emptiness === 'absent' && field instanceof z.ZodOptional
    return clean === null && !dropsEmpty ? [] : [{ name, clean, dropsEmpty }]
  })
  if (fields.length === 0) return null
  return (value, path, found) => {
    if (!isObject(value)) return value
    const object = value
    for (const { name, clean, dropsEmpty } of fields) {
      const before = object[name]
      if (before === undefined) continue
      if (dropsEmpty && isEmpty(before)) {
        delete object[name]
        continue
      }
      if (clean === null) continue
      path.push(name)
      const after = clean(before, path, found)
      path.pop()
      if (after !== before) object[name] = after
    }
    return value
  }
}

const LONGEST_TEXT = 2_000
const LONGEST_LIST = 1_000

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Blanks are those of Unicode. */
function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    (typeof value === 'string' && (value === '' || (value.length < LONGEST_TEXT && value.trim() === '')))
  )
}

function pathText(path: Path): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
}
