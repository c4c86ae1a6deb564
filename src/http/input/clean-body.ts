import { z } from 'zod'
import { type Issue, MOST_ISSUES } from '../../domain/errors.ts'
import { cleanText, invisibleIn, refusalOfInvisible, type TextClass } from '../../domain/text/text-class.ts'
import { textFields } from './text-fields.ts'

/**
 * What an optional field means that is `""`, only blanks or `null`. Shops send these with every order.
 * `absent`: it was not sent. `cleared`: text that was there is removed. `kept`: it is checked as it is.
 */
export type Emptiness = 'absent' | 'cleared' | 'kept'

/** Cleans a body in place, of any shape, and adds an issue for each text with an invisible character. */
export type CleanBody = (body: unknown, issues: Issue[]) => void

/** The cleaning of one value: the value as it is to be read. `path` leads to it, and is restored. */
type Clean = (value: unknown, path: Path, issues: Issue[]) => unknown
type Path = (string | number)[]

/** Compiled from the schema of a body, as the validator is. */
export function bodyCleaner(schema: z.ZodType, emptiness: Emptiness): CleanBody {
  const clean = cleanerOf(schema, emptiness)
  return (body, issues) => {
    clean?.(body, [], issues)
  }
}

/** Null where there is nothing to clean. Unions are left as they are. */
function cleanerOf(schema: z.core.$ZodType, emptiness: Emptiness): Clean | null {
  const textClass = textFields.get(schema as z.ZodType)?.textClass
  if (textClass) return textCleaner(textClass)
  if (schema instanceof z.ZodOptional) return cleanerOf(schema.unwrap(), emptiness)
  if (schema instanceof z.ZodObject) return objectCleaner(schema, emptiness)
  if (schema instanceof z.ZodArray) return listCleaner(schema, emptiness)
  return null
}

function textCleaner(textClass: TextClass): Clean {
  return (value, path, issues) => {
    // No field holds that much text, and its length is an issue of its own.
    if (typeof value !== 'string' || value.length > LONGEST_TEXT) return value
    const clean = cleanText(value, textClass)
    const invisible = invisibleIn(clean, textClass)
    if (invisible && issues.length < MOST_ISSUES) {
      const field = pathText(path)
      issues.push({ field, issue: 'invalid_value', message: `${field} ${refusalOfInvisible(invisible)}` })
    }
    return clean
  }
}

function listCleaner(schema: z.ZodArray, emptiness: Emptiness): Clean | null {
  const clean = cleanerOf(schema.element, emptiness)
  if (clean === null) return null
  return (value, path, issues) => {
    if (!Array.isArray(value)) return value
    for (let at = 0; at < value.length && at < LONGEST_LIST; at++) {
      path.push(at)
      value[at] = clean(value[at], path, issues)
      path.pop()
    }
    return value
  }
}

function objectCleaner(schema: z.ZodObject, emptiness: Emptiness): Clean | null {
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const isOptional = emptiness !== 'kept' && field instanceof z.ZodOptional
    const isClearable =
      isOptional &&
      emptiness === 'cleared' &&
      textFields.get(field.unwrap() as z.ZodType)?.textClass === 'lines'
    // What an amended object or list holds replaces the whole of it: there is nothing to clear in it.
    const clean = cleanerOf(field, emptiness === 'cleared' ? 'absent' : emptiness)
    const whenEmpty = !isOptional ? KEEP : emptiness === 'absent' ? REMOVE : isClearable ? CLEAR : KEEP
    return clean === null && whenEmpty === KEEP ? [] : [{ name, clean, whenEmpty }]
  })
  if (fields.length === 0) return null
  return (value, path, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const object = value as Record<string, unknown>
    for (const { name, clean, whenEmpty } of fields) {
      const before = object[name]
      if (before === undefined) continue
      if (whenEmpty !== KEEP && isEmpty(before)) {
        if (whenEmpty === CLEAR) object[name] = ''
        else delete object[name]
        continue
      }
      if (clean === null) continue
      path.push(name)
      const after = clean(before, path, issues)
      path.pop()
      if (after !== before) object[name] = after
    }
    return value
  }
}

const [KEEP, REMOVE, CLEAR] = [0, 1, 2]
const LONGEST_TEXT = 2_000
const LONGEST_LIST = 1_000

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
