import { isSame } from '../../../src/domain/account/differences.ts'

/** A JSON object, as the API sends the account document. */
export type Json = Readonly<Record<string, unknown>>

/** The entry of a list whose field `key` is `is`: `{ key: 'reference', is: 'perth-cbd' }`. */
export type Entry = { key: string; is: string }

/** Where a value is in the document: names of fields, and entries of lists. */
export type Place = readonly (string | Entry)[]

/** A value that a form sets; `undefined` removes the field or the entry. */
export type Edit = { place: Place; value: unknown }

export function valueAt(document: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (at, step) => (typeof step === 'string' ? fieldOf(at, step) : entryOf(at, step)),
    document,
  )
}

/** The document with one value set. All other fields keep their value and order, including those that no form shows. */
export function withValue(document: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'string') {
    const object = isObject(document) ? document : {}
    const next = withValue(object[step], rest, value)
    if (next === undefined)
      return Object.fromEntries(Object.entries(object).filter(([name]) => name !== step))
    return { ...object, [step]: next }
  }
  const list = Array.isArray(document) ? document : []
  const index = list.findIndex((one) => fieldOf(one, step.key) === step.is)
  const next = withValue(list[index], rest, value)
  if (index < 0) return next === undefined ? list : [...list, next]
  return next === undefined ? list.toSpliced(index, 1) : list.with(index, next)
}

export function withEdits(document: Json, edits: readonly Edit[]): Json {
  return edits.reduce<unknown>((at, { place, value }) => withValue(at, place, value), document) as Json
}

/**
 * The edits with one more. A later edit of the same place replaces the earlier one, and an edit of a whole entry those
 * inside it; one that puts back what is in use is dropped.
 */
export function addEdit(inUse: Json, edits: readonly Edit[], edit: Edit): Edit[] {
  const others = edits.filter(({ place }) => !isWithin(place, edit.place))
  const before = valueAt(withEdits(inUse, others), edit.place)
  return isSame(before, edit.value) ? others : [...others, edit]
}

/**
 * The edits whose entries are still in another version of the document. An edit inside a removed entry would add an
 * entry with only the edited field.
 */
export function dropOrphans(document: Json, edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = []
  for (const edit of edits) if (hasEntries(withEdits(document, kept), edit.place)) kept.push(edit)
  return kept
}

/** Whether the document has each entry that the place is inside of. */
function hasEntries(document: Json, place: Place): boolean {
  return place.every((step, index) => {
    const isOuter = typeof step !== 'string' && index < place.length - 1
    return !isOuter || valueAt(document, place.slice(0, index + 1)) !== undefined
  })
}

/** The edits that somebody else has changed too, between two versions of the document. */
export function listClashes(before: Json, after: Json, edits: readonly Edit[]): Edit[] {
  return edits.filter(({ place }) => !isSame(valueAt(before, place), valueAt(after, place)))
}

/** The edits on top of another version of the document. `dropped`: those inside removed entries; `clashes`: see `listClashes`. */
export function rebaseEdits(before: Json, after: Json, edits: readonly Edit[]) {
  const kept = dropOrphans(after, edits)
  const all = kept.reduce<readonly Edit[]>((known, edit) => addEdit(after, known, edit), [])
  // Edits that cancel each other out, such as a cleared price and the same amount typed again, are not changes.
  const rebased = isSame(withEdits(after, all), after) ? [] : all
  return {
    edits: rebased,
    dropped: edits.length - kept.length,
    clashes: listClashes(before, after, rebased).length,
  }
}

function isWithin(place: Place, other: Place): boolean {
  return other.every((step, index) => isSame(place[index], step))
}

function fieldOf(at: unknown, name: string): unknown {
  return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
}

function entryOf(at: unknown, { key, is }: Entry): unknown {
  return Array.isArray(at) ? at.find((one) => fieldOf(one, key) === is) : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
