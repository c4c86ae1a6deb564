import type { z } from 'zod'
import { type Issue, Refusal } from '../domain/errors.ts'
import { type Check, checkOf, jsonSchemaOf } from './validate.ts'

/**
 * Reads a query as strictly as a body: declared names only, each once, numbers and booleans spelt as such. The schema is
 * looked into at its first use: there are a hundred, and a start waits for none.
 */
export function queryReader(schema: z.ZodObject): (raw: Readonly<Record<string, unknown>>) => unknown {
  const check = checkOf(schema)
  let types: ReadonlyMap<string, string> | null = null
  return (raw) => {
    types ??= typesOf(schema)
    return readQuery(raw, types, check)
  }
}

function readQuery(
  raw: Readonly<Record<string, unknown>>,
  types: ReadonlyMap<string, string>,
  check: Check,
): unknown {
  // Without a prototype, `__proto__` is a name like any other: an unknown one.
  const query: Record<string, unknown> = Object.create(null)
  const issues: Issue[] = []
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value === 'string') query[name] = typed(value, types.get(name))
    else issues.push({ field: name, issue: 'conflict', message: `${name} is given more than once.` })
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      issues.push({
        field: name,
        issue: 'invalid_value',
        message: `${name} contains a character that is not accepted.`,
      })
    }
  }
  issues.push(...check(query))
  if (issues.length > 0) throw new Refusal('invalid_request', 'The query has mistakes.', { issues })
  return query
}

/** Text that is not spelt like its type stays text, and the schema says so. */
function typed(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)))
    return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function typesOf(schema: z.ZodObject): Map<string, string> {
  const properties = (jsonSchemaOf(schema).properties ?? {}) as Record<string, { type?: string }>
  return new Map(Object.entries(properties).map(([name, { type }]) => [name, type ?? 'string']))
}
