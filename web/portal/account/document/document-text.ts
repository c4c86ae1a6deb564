import { isCollection, isMap, isPair, isScalar, parseDocument, stringify } from 'yaml'

/** A mistake and its line, counted from 1. YAML errors have no field. */
export type Mistake = { line: number; field?: string; message: string }

/** The document as a person edits it. */
export function toText(document: unknown): string {
  return stringify(document, { lineWidth: 100, flowCollectionPadding: true })
}

export type Read = { document: Record<string, unknown> } | { mistakes: Mistake[] }

/** The parsed text, or its YAML errors with their lines. */
export function readText(text: string): Read {
  const parsed = parseDocument(text, { merge: true })
  if (parsed.errors.length > 0)
    return {
      mistakes: parsed.errors.map(({ message, linePos }) => ({
        line: linePos?.[0].line ?? 1,
        message: message.split('\n')[0] ?? 'This isn’t valid YAML.',
      })),
    }
  const document = parsed.toJS() as unknown
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return {
      mistakes: [{ line: 1, message: 'Write the document as fields and values, such as “tenant_id: demo”.' }],
    }
  }
  return { document: document as Record<string, unknown> }
}

/** The line of a field such as `stores[0].hours.sat`; for a missing field, that of its parent. */
export function lineOf(text: string, field: string): number {
  const parsed = parseDocument(text)
  const path = field.split(/[.[\]]+/).filter((step) => step !== '')
  for (let length = path.length; length > 0; length--) {
    const steps = path.slice(0, length).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
    const node = parsed.getIn(steps, true)
    const offset = isCollection(node) || isScalar(node) ? node.range?.[0] : undefined
    if (offset !== undefined) return lineAt(text, offset)
  }
  return 1
}

/** The names of the parents of a position in the text, without list indexes. */
export function fieldsAt(text: string, offset: number): string[] {
  const fields: string[] = []
  let node: unknown = parseDocument(text).contents
  while (isCollection(node)) {
    const holder = isMap(node) ? node.items.find((item) => covers(item, offset)) : null
    if (holder && isPair(holder)) {
      fields.push(String(isScalar(holder.key) ? holder.key.value : ''))
      node = holder.value
    } else if (isMap(node)) break
    else node = node.items.find((item) => rangeOf(item, offset))
  }
  return fields
}

function covers(pair: { key: unknown; value: unknown }, offset: number): boolean {
  const start = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0
  const value = pair.value
  const end = isCollection(value) || isScalar(value) ? (value.range?.[2] ?? start) : start
  return offset >= start && offset < end
}

function rangeOf(node: unknown, offset: number): boolean {
  if (!isCollection(node) && !isScalar(node)) return false
  const [start = 0, , end = 0] = node.range ?? []
  return offset >= start && offset < end
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
