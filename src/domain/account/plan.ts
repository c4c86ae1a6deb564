import { differences, type FieldChange } from './differences.ts'
import type { AccountDocumentInput } from './document/document.ts'
import type { Steps } from './document/parse-in-steps.ts'
import { type HoursByKey, toHoursByDay } from './hours-by-day.ts'

/** One line of the plan: what applying a document would do. */
export type PlanLine = {
  action: 'add' | 'change' | 'remove'
  kind: 'account' | 'brand' | 'store' | 'delivery_type' | 'carrier' | 'service' | 'dangerous_goods_definition'
  name: string
  /** The fields that change; empty when the whole thing is added or removed. */
  changes: readonly FieldChange[]
}

/** The changes from the current document to another; empty when they mean the same. */
export function planAccount(before: AccountDocumentInput | null, after: AccountDocumentInput): PlanLine[] {
  const steps = planInSteps(before, after)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same, a step for each part: 80,000 rates take 20 ms. */
export function* planInSteps(
  before: AccountDocumentInput | null,
  after: AccountDocumentInput,
): Steps<PlanLine[]> {
  const rest = before ? differences(ownFields(before), ownFields(after)) : []
  const plan: PlanLine[] = before ? [] : [line('add', 'account', after.tenant_id)]
  if (rest.length > 0) plan.push({ ...line('change', 'account', after.tenant_id), changes: rest })
  for (const one of partLines(before ? toParts(before) : NOTHING, toParts(after))) {
    if (one) plan.push(one)
    else yield
  }
  return plan
}

/**
 * The same lines, with the fields of parts that are added: each field that the new part sets. Whether a person may make
 * a change is decided by its fields.
 */
export function listChangesByPart(before: AccountDocumentInput, after: AccountDocumentInput): PlanLine[] {
  const parts = toParts(after)
  return planAccount(before, after).map((line) =>
    line.action === 'add' && line.kind !== 'account'
      ? { ...line, changes: differences({}, parts[line.kind].get(line.name)) }
      : line,
  )
}

/** `~ store fitzroy: hours.sun closed → 10:00-16:00` */
export function planText({ action, kind, name, changes }: PlanLine): string {
  const fields = changes.map(({ field, from, to }) => {
    if (from === undefined) return `${field} + ${shown(to, field)}`
    if (to === undefined) return `${field} - ${shown(from, field)}`
    return `${field} ${shown(from, field)} → ${shown(to, field)}`
  })
  const detail = fields.length > 0 ? `: ${fields.join(', ')}` : ''
  return `${SIGNS[action]} ${kind.replaceAll('_', ' ')} ${name}${detail}`
}

type Parts = Readonly<Record<Exclude<PlanLine['kind'], 'account'>, ReadonlyMap<string, unknown>>>

const SIGNS = { add: '+', change: '~', remove: '-' } as const

const NOTHING: Parts = {
  brand: new Map(),
  store: new Map(),
  delivery_type: new Map(),
  carrier: new Map(),
  service: new Map(),
  dangerous_goods_definition: new Map(),
}

/** The parts that the plan lists by name; the rest of a document belongs to the account itself. */
function toParts(document: AccountDocumentInput): Parts {
  const carriers = document.carriers ?? []
  return {
    brand: new Map(document.brands.map((brand) => [brand.reference, brand])),
    store: new Map(document.stores.map((store) => [store.reference, byDay(store)])),
    delivery_type: new Map(Object.entries(document.delivery_types)),
    carrier: new Map(carriers.map(({ services: _, ...carrier }) => [carrier.provider, carrier])),
    service: new Map(
      carriers.flatMap(({ provider, services }) =>
        services.map((service) => [`${provider} ${service.service}`, service] as const),
      ),
    ),
    dangerous_goods_definition: new Map(
      (document.dangerous_goods_definitions ?? []).map((goods) => [goods.name, goods]),
    ),
  }
}

/** The account's own fields, and the order of lists where it matters. */
function ownFields(document: AccountDocumentInput): Record<string, unknown> {
  const {
    brands,
    stores: _,
    delivery_types: __,
    carriers,
    dangerous_goods_definitions: ___,
    ...own
  } = document
  return {
    ...own,
    default_brand: brands[0]?.reference,
    order_of_services: (carriers ?? []).flatMap(({ provider, services }) =>
      services.map(({ service }) => `${provider} ${service}`),
    ),
  }
}

/** Hours by single days, so that a changed Sunday is one change, whatever ranges the document uses. */
function byDay<T extends { hours: HoursByKey; pickup_hours?: HoursByKey | undefined }>(store: T): object {
  return {
    ...store,
    hours: toHoursByDay(store.hours),
    ...(store.pickup_hours && { pickup_hours: toHoursByDay(store.pickup_hours) }),
  }
}

/** Yields undefined after each part, so that the caller can let other work run. */
function* partLines(before: Parts, after: Parts): Generator<PlanLine | undefined> {
  for (const kind of Object.keys(NOTHING) as (keyof Parts)[]) {
    for (const [name, part] of after[kind]) {
      if (!before[kind].has(name)) yield line('add', kind, name)
      else {
        const changes = differences(before[kind].get(name), part)
        if (changes.length > 0) yield { ...line('change', kind, name), changes }
      }
      yield
    }
    for (const name of before[kind].keys()) if (!after[kind].has(name)) yield line('remove', kind, name)
  }
}

function line(action: PlanLine['action'], kind: PlanLine['kind'], name: string): PlanLine {
  return { action, kind, name, changes: [] }
}

/** A day without hours is closed; another list without entries is written as JSON. */
function shown(value: unknown, field: string): string {
  if (Array.isArray(value) && value.length === 0) return /^(?:pickup_)?hours\./.test(field) ? 'closed' : '[]'
  if (Array.isArray(value)) return value.map((one) => shown(one, field)).join(' and ')
  if (typeof value === 'string') return value.startsWith('data:') ? '(image)' : value
  return JSON.stringify(value)
}
