import { z } from 'zod'

/** Steps of a long computation: between two of them its caller may let other work run. */
export type Steps<T> = Generator<void, T>

type Parsed<T> = { success: true; data: T; issues: [] } | { success: false; issues: z.core.$ZodIssue[] }

/** Values that one step reads, in less than a millisecond. Reading 480,000 at once takes 60 to 130. */
export const MAX_VALUES_PER_STEP = 2_000

/**
 * Cooperative parsing: the result of `schema.safeParse(value)`, read part by part. Long lists, records and members of
 * objects get steps of their own. A part whose schema has refinements is one step.
 */
export function* parseInSteps<S extends z.ZodType>(
  schema: S,
  value: unknown,
  valuesOfStep = MAX_VALUES_PER_STEP,
): Steps<Parsed<z.output<S>>> {
  const issues: z.core.$ZodIssue[] = []
  const data = (yield* new Reader(valuesOfStep).read(schema, value, [], issues)) as z.output<S>
  return issues.length === 0 ? { success: true, data, issues: [] } : { success: false, issues }
}

/** How many values a JSON value has, itself included; not counted beyond `max`. */
export function countValues(value: unknown, max: number): number {
  let count = 1
  if (typeof value !== 'object' || value === null) return count
  for (const name in value) {
    if (count >= max) return count
    count += countValues((value as Record<string, unknown>)[name], max - count)
  }
  return count
}

type Path = readonly PropertyKey[]
type Issues = z.core.$ZodIssue[]
type Named = Record<string, unknown>
type Def<T extends string> = Extract<z.core.$ZodTypes, { _zod: { def: { type: T } } }>['_zod']['def']

class Reader {
  readonly #atOnce: number

  constructor(valuesOfStep: number) {
    this.#atOnce = valuesOfStep
  }

  *read(schema: z.core.$ZodType, value: unknown, path: Path, issues: Issues): Steps<unknown> {
    if (!this.#isLong(value)) return whole(schema, value, path, issues)
    yield
    const node = unwrapped(schema)
    const { def } = node._zod
    if (def.type === 'union') return yield* this.#readUnion(node, def, value, path, issues)
    const isOrdinaryList = def.type === 'array' && (def.checks ?? []).every(isOfSize)
    if (isOrdinaryList && Array.isArray(value)) return yield* this.#readList(def, value, path, issues)
    if ((def.checks?.length ?? 0) > 0 || !isObject(value)) return whole(node, value, path, issues)
    if (def.type === 'object') return yield* this.#readObject(node as z.ZodObject, value, path, issues)
    const isOrdinaryRecord = def.type === 'record' && !def.keyType._zod.values
    if (isOrdinaryRecord) return yield* this.#readRecord(node, def, value, path, issues)
    return whole(node, value, path, issues)
  }

  /** Reads each long member by itself, and all others together. */
  *#readObject(node: z.ZodObject, value: Named, path: Path, issues: Issues): Steps<unknown> {
    const names = Object.keys(node.shape)
    const long = names.filter((name) => Object.hasOwn(value, name) && this.#isLong(value[name]))
    const others: Named = { ...value }
    for (const name of long) delete others[name]
    const found: Issues = []
    const read = whole(without(node, long), others, path, found) as Named | undefined
    for (const name of long) {
      const member = yield* this.read(node.shape[name] as z.ZodType, value[name], [...path, name], found)
      if (read) read[name] = member
    }
    // As the schema itself orders them: by member, and issues without a member at the end.
    const rank = ({ path: at, code }: z.core.$ZodIssue) =>
      at.length === path.length && code === 'unrecognized_keys'
        ? names.length
        : names.indexOf(String(at[path.length]))
    for (const issue of found.sort((one, other) => rank(one) - rank(other))) issues.push(issue)
    const ordered = read && names.filter((name) => Object.hasOwn(read, name))
    return ordered && Object.fromEntries(ordered.map((name) => [name, read[name]]))
  }

  *#readList(def: Def<'array'>, list: unknown[], path: Path, issues: Issues): Steps<unknown> {
    const ofSize: Issues = []
    whole(
      z.array(z.unknown()).check(...((def.checks ?? []) as z.core.$ZodCheck<unknown[]>[])),
      list,
      path,
      ofSize,
    )
    // The schema does not look into a list that is too long.
    if (ofSize.some(({ code }) => code === 'too_big')) return pushed(issues, ofSize)
    const some = z.array(def.element as z.ZodType)
    const read: unknown[] = []
    for (let from = 0; from < list.length; ) {
      let [to, count] = [from, 0]
      while (to < list.length && count < this.#atOnce) count += countValues(list[to++], this.#atOnce)
      const isOneLong = to === from + 1 && this.#isLong(list[from])
      if (isOneLong) read.push(yield* this.read(def.element, list[from], [...path, from], issues))
      else {
        const part = whole(some, list.slice(from, to), path, issues, from)
        for (const entry of (part as unknown[] | undefined) ?? []) read.push(entry)
        yield
      }
      from = to
    }
    pushed(issues, ofSize)
    return read
  }

  *#readRecord(
    node: z.core.$ZodType,
    def: Def<'record'>,
    value: Named,
    path: Path,
    issues: Issues,
  ): Steps<unknown> {
    const entries = Object.entries(value)
    const read: [string, unknown][] = []
    for (let from = 0; from < entries.length; ) {
      let [to, count] = [from, 0]
      while (to < entries.length && count < this.#atOnce)
        count += countValues(entries[to++]![1], this.#atOnce)
      const [name, first] = entries[from]!
      if (to === from + 1 && this.#isLong(first)) {
        const named = whole(z.record(def.keyType as z.ZodString, z.null()), { [name]: null }, path, issues)
        const member = named && (yield* this.read(def.valueType, first, [...path, name], issues))
        for (const key of Object.keys(named ?? {})) read.push([key, member])
      } else {
        const part = whole(node, Object.fromEntries(entries.slice(from, to)), path, issues)
        for (const entry of Object.entries(part ?? {})) read.push(entry)
        yield
      }
      from = to
    }
    return Object.fromEntries(read)
  }

  /** Uses the union's only option for lists (or objects). A value that does not fit is read whole, for its issue. */
  *#readUnion(
    node: z.core.$ZodType,
    { options }: Def<'union'>,
    value: unknown,
    path: Path,
    issues: Issues,
  ): Steps<unknown> {
    const types = Array.isArray(value) ? ['array'] : ['object', 'record']
    const fitting = options.filter((option) => types.includes(unwrapped(option)._zod.def.type))
    if (fitting.length !== 1) return whole(node, value, path, issues)
    const found: Issues = []
    const read = yield* this.read(fitting[0] as z.core.$ZodType, value, path, found)
    return found.length === 0 ? read : whole(node, value, path, issues)
  }

  #isLong(value: unknown): boolean {
    return countValues(value, this.#atOnce) >= this.#atOnce
  }
}

/** Reads a part in one go; the index of a list's part begins at `from`. Undefined if it has issues. */
function whole(schema: z.core.$ZodType, value: unknown, path: Path, issues: Issues, from = 0): unknown {
  const { data, error } = z.safeParse(schema, value)
  for (const issue of error?.issues ?? []) {
    const [index, ...rest] = issue.path
    const own = from > 0 && typeof index === 'number' ? [index + from, ...rest] : issue.path
    issues.push({ ...issue, path: [...path, ...own] })
  }
  return data
}

function pushed(issues: Issues, more: Issues): undefined {
  for (const issue of more) issues.push(issue)
}

/** The schema inside wrappers that define an absent value. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodTypes {
  const node = schema as z.core.$ZodTypes
  const { def } = node._zod
  if (def.type === 'lazy') return unwrapped(def.getter())
  if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault' || def.type === 'nullable')
    return unwrapped(def.innerType)
  return node
}

const omitted = new WeakMap<z.ZodObject, Map<string, z.ZodObject>>()

/** Cached, because the first parse with a new schema is slow. */
function without(node: z.ZodObject, names: readonly string[]): z.ZodObject {
  if (names.length === 0) return node
  const cached = omitted.get(node) ?? new Map<string, z.ZodObject>()
  omitted.set(node, cached)
  const key = names.join()
  const schema = cached.get(key) ?? node.omit(Object.fromEntries(names.map((name) => [name, true])) as never)
  cached.set(key, schema)
  return schema
}

function isOfSize({ _zod }: z.core.$ZodCheck): boolean {
  return _zod.def.check === 'min_length' || _zod.def.check === 'max_length'
}

function isObject(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
