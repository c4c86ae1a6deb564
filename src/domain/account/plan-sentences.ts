import {
  CHANNEL_NAMES,
  MESSAGE_TEMPLATES,
  type TextChannel,
  TRACKING_TEMPLATES,
} from '../messages/message-templates.ts'
import { WEEKDAYS, type Weekday } from '../values.ts'
import { formatClock, formatRange, split } from './clock-text.ts'
import { DAY_NAMES } from './day-names.ts'
import { isSame } from './differences.ts'
import { formatFieldValue, joinWithAnd, toFieldLabel } from './field-labels.ts'
import { toRanges } from './hours-by-day.ts'
import type { PlanLine } from './plan.ts'
import { toPriceSentences } from './price-sentences.ts'
import { toTimingSentence } from './timing-sentences.ts'

/** The parts of a document that have names of their own. */
export type NamedParts = {
  stores?: readonly Named[] | undefined
  brands?: readonly Named[] | undefined
  carriers?: readonly NamedCarrier[] | undefined
}
type Named = { reference: string; name?: string | undefined }
type NamedCarrier = { provider: string; name: string }

type Change = PlanLine['changes'][number]

/**
 * What a plan changes between two documents, as sentences for the owner: "Perth CBD closes at 1 pm on Saturdays instead of 5 pm." Removals
 * come first, because they can do the most damage.
 */
export function toPlanSentences(plan: readonly PlanLine[], before: NamedParts, after: NamedParts): string[] {
  const names = {
    stores: [...(before.stores ?? []), ...(after.stores ?? [])],
    brands: [...(before.brands ?? []), ...(after.brands ?? [])],
    carriers: [...(before.carriers ?? []), ...(after.carriers ?? [])],
  }
  const rank = { remove: 0, change: 1, add: 2 }
  return plan
    .toSorted((a, b) => rank[a.action] - rank[b.action])
    .flatMap((line) => {
      const subject = toSubject(line, names)
      if (line.action === 'add') return [`${subject} is added.`]
      if (line.action === 'remove') return [`${subject} is removed.`]
      return changeSentences(subject, line, (provider) => toCarrierName(provider, names.carriers))
    })
}

function toSubject(
  { kind, name }: PlanLine,
  { stores = [], brands = [], carriers = [] }: NamedParts,
): string {
  const reference = (list: readonly Named[]) => list.find((one) => one.reference === name)?.name ?? name
  const carrier = (provider: string) => toCarrierName(provider, carriers)
  if (kind === 'store') return reference(stores)
  if (kind === 'brand') return reference(brands)
  if (kind === 'carrier') return carrier(name)
  if (kind === 'service') {
    const [provider = '', ...service] = name.split(' ')
    return `${carrier(provider)} ${service.join(' ')}`
  }
  if (kind === 'delivery_type') return `Delivery type ${name.charAt(0).toUpperCase()}${name.slice(1)}`
  if (kind === 'dangerous_goods_definition')
    return `The dangerous goods definition “${name.replaceAll('_', ' ')}”`
  return 'The account'
}

function toCarrierName(provider: string, carriers: readonly NamedCarrier[]): string {
  return carriers.find((one) => one.provider === provider)?.name ?? provider
}

function changeSentences(
  subject: string,
  { changes }: PlanLine,
  carrierName: (provider: string) => string,
): string[] {
  const hours = (prefix: string) => changes.filter(({ field }) => field.startsWith(`${prefix}.`))
  const trading = toDaySentences(subject, hours('hours'), TRADING)
  const pickup = toDaySentences(`Carriers at ${subject}`, hours('pickup_hours'), PICKUP)
  const rest = changes.filter(({ field }) => !/^((pickup_)?hours\.|message_texts)/.test(field))
  return [
    ...trading,
    ...pickup,
    ...toTextSentences(changes),
    ...rest.flatMap((change) => orderSentences(change, carrierName) ?? fieldSentences(subject, change)),
  ]
}

/** The message texts that change, each once: "The SMS for “delivered” changes." */
function toTextSentences(changes: readonly Change[]): string[] {
  const sentences = changes
    .filter(({ field }) => field.startsWith('message_texts'))
    .flatMap(({ field, from, to }) => {
      const path = field.split('.').slice(1)
      return [...listTextPaths(from, path), ...listTextPaths(to, path)].map((at) =>
        textSentence(at, field, to),
      )
    })
  return [...new Set(sentences)]
}

/** `[language, channel, name]` of each text in a value at a path. */
function listTextPaths(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (path.length >= 3) return [path.slice(0, 3)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => listTextPaths(inner, [...path, name]))
}

function textSentence(path: readonly string[], field: string, to: unknown): string {
  const [language = '', channel = '', name = ''] = path
  const titles: Readonly<Record<string, { title: string }>> =
    channel === 'tracking_page' ? TRACKING_TEMPLATES : MESSAGE_TEMPLATES
  const title = Object.hasOwn(titles, name) ? titles[name]?.title : name
  const inLanguage = language === 'en' ? '' : ` in ${LANGUAGE_NAMES.of(language) ?? language}`
  const what = `The ${CHANNEL_NAMES[channel as TextChannel] ?? channel} for “${title}”${inLanguage}`
  const isWhole = field.split('.').length <= 4
  return to === undefined && isWhole ? `${what} goes back to our wording.` : `${what} changes.`
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en-AU', { type: 'language' })

type HoursVerbs = { opens: string; closes: string; never: string; open: string; verb: string }

const TRADING: HoursVerbs = {
  opens: 'opens at',
  closes: 'closes at',
  never: 'no longer opens',
  open: 'is open',
  verb: 'now opens',
}
const PICKUP: HoursVerbs = {
  opens: 'collect from',
  closes: 'collect until',
  never: 'no longer collect',
  open: 'collect',
  verb: 'now collect',
}

/** One sentence for all days with the same change: "from Monday to Friday". */
function toDaySentences(subject: string, changes: readonly Change[], verbs: HoursVerbs): string[] {
  const groups: { days: Weekday[]; from: unknown; to: unknown }[] = []
  for (const { field, from, to } of changes) {
    const day = field.slice(field.indexOf('.') + 1) as Weekday
    const group = groups.find((one) => isSame(one.from, from) && isSame(one.to, to))
    if (group) group.days.push(day)
    else groups.push({ days: [day], from, to })
  }
  return groups.map(
    ({ days, from, to }) =>
      `${subject} ${toHoursClause(toRangesOf(from), toRangesOf(to), toDaysText(days), verbs)}.`,
  )
}

function toHoursClause(
  from: readonly string[],
  to: readonly string[],
  on: string,
  verbs: HoursVerbs,
): string {
  if (to.length === 0) return `${verbs.never} ${on}`
  if (from.length === 0) return `${verbs.verb} ${on}, ${to.map(formatRange).join(' and ')}`
  if (from.length === 1 && to.length === 1) {
    const [[oldOpen, oldClose], [open, close]] = [split(from[0]), split(to[0])]
    if (oldOpen === open)
      return `${verbs.closes} ${formatClock(close)} ${on} instead of ${formatClock(oldClose)}`
    if (oldClose === close)
      return `${verbs.opens} ${formatClock(open)} ${on} instead of ${formatClock(oldOpen)}`
  }
  const before = from.map(formatRange).join(' and ')
  return `${verbs.open} ${to.map(formatRange).join(' and ')} ${on} instead of ${before}`
}

function toRangesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : []
}

function toDaysText(days: readonly Weekday[]): string {
  const ordered = WEEKDAYS.filter((day) => days.includes(day))
  const [first, last] = [ordered[0] as Weekday, ordered.at(-1) as Weekday]
  const isRun = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === ordered.length - 1
  if (ordered.length > 2 && isRun) return `from ${DAY_NAMES[first]} to ${DAY_NAMES[last]}`
  return `on ${joinWithAnd(ordered.map((day) => `${DAY_NAMES[day]}s`))}`
}

/** Which carrier and which service we try first, by their names; null: the field is another one. */
function orderSentences(
  { field, from, to }: Change,
  carrierName: (provider: string) => string,
): string[] | null {
  if (field === 'order_of_services') {
    const [before, after] = [toRangesOf(from), toRangesOf(to)]
    const kept = after.filter((service) => before.includes(service))
    // A service that is added or removed has its own sentence.
    if (
      isSame(
        before.filter((service) => after.includes(service)),
        kept,
      )
    )
      return []
    const names = kept.map((service) => {
      const [provider = '', ...words] = service.split(' ')
      return [carrierName(provider), ...words].join(' ')
    })
    return [`If services are otherwise equal, we try them in this order: ${joinWithAnd(names)}.`]
  }
  if (!/^booking\.order(\.|$)/.test(field)) return null
  const preferred = Array.isArray(to) ? to : (to as { preferred?: string[] } | undefined)?.preferred
  if (preferred) return [`We try carriers in this order: ${joinWithAnd(preferred.map(carrierName))}.`]
  return [`We try the ${to ?? 'cheapest'} carrier first.`]
}

function fieldSentences(subject: string, { field, from, to }: Change): string[] {
  if (field === 'closures')
    return listSentences(from, to, ['is closed', 'is no longer closed'], subject, formatClosure)
  if (field === 'openings')
    return listSentences(from, to, ['opens', 'no longer opens'], subject, formatOpening)
  if (field.startsWith('timing.')) return [toTimingSentence(subject, { field, from, to }) ?? []].flat()
  if (/^labels(\.|$)/.test(field)) return labelSentences(subject, field, from, to)
  if (/^sign_in(\.|$)/.test(field)) return logInSentences(field, from, to)
  if (/^assistants(\.|$)/.test(field)) return spendingLimitSentences(field, from, to)
  if (field === 'usual_boxes') return toBoxSentences(from, to)
  if (field === 'logo') return [toLogoSentence(subject, from, to)]
  if (field === 'enabled')
    return [to === false ? `${subject} is no longer offered.` : `${subject} is offered again.`]
  if (field === 'name') return [`${subject} is now called ${formatFieldValue(field, to)}.`]
  if (field === 'processing_minutes' && typeof to === 'number')
    return [minutesSentence(`${subject} takes`, 'to pick and pack an order', from, to)]
  const prices = toPriceSentences(subject, { field, from, to })
  if (prices) return prices
  const label = toFieldLabel(field)
  if (from === undefined || from === null)
    return [`${subject}: “${label}” is set to ${formatFieldValue(field, to)}.`]
  if (to === undefined || to === null)
    return [`${subject}: “${label}” is removed. It was ${formatFieldValue(field, from)}.`]
  return [
    `${subject}: “${label}” changes from ${formatFieldValue(field, from)} to ${formatFieldValue(field, to)}.`,
  ]
}

type Labels = { format?: unknown; printer?: unknown }

/** How a store prints its labels; the whole setting or one of its fields changes. */
function labelSentences(subject: string, field: string, from: unknown, to: unknown): string[] {
  const [, name] = field.split('.')
  const [before, after] = [from, to].map((value): Labels => (name ? { [name]: value } : (value ?? {})))
  const format = after?.format === 'zpl' ? 'ZPL, for a label printer' : 'PDF'
  return [
    ...(before?.format === after?.format ? [] : [`Labels at ${subject} print as ${format}.`]),
    ...(before?.printer === after?.printer
      ? []
      : [
          after?.printer === undefined
            ? `Labels at ${subject} no longer have a named printer.`
            : `Labels at ${subject} print on ${after.printer}.`,
        ]),
  ]
}

type SignIn = { openid_connect?: { name: string; client_secret?: unknown } }

/** The provider with which people log in; all of it or one of its fields changes. */
function logInSentences(field: string, from: unknown, to: unknown): string[] {
  const [, , name] = field.split('.')
  if (name === undefined) {
    const [before, after] = [from, to].map((value) => {
      const provider = field === 'sign_in' ? (value as SignIn | undefined)?.openid_connect : value
      return provider as SignIn['openid_connect']
    })
    if (after !== undefined) return [`People can log in with ${after.name}.`]
    if (before !== undefined) {
      const secret = before.client_secret ? ' We delete the client secret that you saved.' : ''
      return [`People can no longer log in with ${before.name}.${secret}`]
    }
    return ['The settings of your login provider change.']
  }
  if (name === 'name') return [`Your login provider is now called ${to} instead of ${from}.`]
  if (name === 'issuer')
    return [`People log in at ${to} instead of ${from}, and must link their login again.`]
  if (name === 'client_id') return [`The client ID at your login provider is ${to} instead of ${from}.`]
  if (to === undefined)
    return [
      'We delete the client secret that you saved, and no longer send a client secret to the login provider.',
    ]
  return ['We send the login provider the client secret that you saved.']
}

/** What API clients and assistants may spend; all of `assistants` or its one field changes. */
function spendingLimitSentences(field: string, from: unknown, to: unknown): string[] {
  const [before, after] = [from, to].map((value) => {
    const limit =
      field === 'assistants' ? (value as Assistants | undefined)?.spending_limit_cents_per_day : value
    return limit === undefined || limit === null ? null : formatFieldValue('cents', limit)
  })
  if (before === after) return []
  if (!after) return ['There is no limit on what API clients and assistants may spend through MCP.']
  const instead = before ? ` instead of ${before}` : ''
  return [`Each API client and each assistant may spend at most ${after} a day through MCP${instead}.`]
}

type Assistants = { spending_limit_cents_per_day?: unknown }

function toBoxSentences(from: unknown, to: unknown): string[] {
  const [before, after] = [from, to].map((value) =>
    Array.isArray(value) ? (value as { name: string }[]) : [],
  )
  const find = (boxes: { name: string }[] = [], name: string) => boxes.find((box) => box.name === name)
  return [
    ...(before ?? []).flatMap(({ name }) => (find(after, name) ? [] : [`The box “${name}” is removed.`])),
    ...(after ?? []).flatMap((box) => {
      const known = find(before, box.name)
      if (!known) return [`The box “${box.name}” is added.`]
      return isSame(known, box) ? [] : [`The box “${box.name}” is changed.`]
    }),
  ]
}

function toLogoSentence(subject: string, from: unknown, to: unknown): string {
  if (to === undefined) return `${subject} no longer has a logo. Customers see the brand’s name instead.`
  return from === undefined
    ? `Customers of ${subject} see its logo instead of its name.`
    : `${subject} has a new logo.`
}

function minutesSentence(start: string, end: string, from: unknown, to: number): string {
  const before = typeof from === 'number' ? ` instead of ${from}` : ''
  return `${start} ${to} ${to === 1 ? 'minute' : 'minutes'} ${end}${before}.`
}

type Closure = { from: string; to?: string; reason?: string }

type Opening = Closure & { hours: string | readonly string[] }

/** A sentence for each entry that only one of the two lists has: first the removed ones. */
function listSentences<T>(
  from: unknown,
  to: unknown,
  [is, was]: readonly [string, string],
  subject: string,
  format: (one: T) => string,
): string[] {
  const [before = [], after = []] = [from, to].map((value) => (Array.isArray(value) ? (value as T[]) : []))
  const without = (list: readonly T[], others: readonly T[]) =>
    list.filter((one) => !others.some((other) => isSame(one, other)))
  return [
    ...without(before, after).map((one) => `${subject} ${was} ${format(one)}.`),
    ...without(after, before).map((one) => `${subject} ${is} ${format(one)}.`),
  ]
}

function formatClosure({ from, to, reason }: Closure): string {
  const days =
    to === undefined || to === from
      ? `on ${formatDate(from)}`
      : `from ${formatDate(from)} to ${formatDate(to)}`
  return reason ? `${days} (${reason})` : days
}

/** `on Sunday 13 December 2026 from 10 am to 4 pm` */
function formatOpening({ from, to, hours, reason }: Opening): string {
  const times = toRanges(hours).map((range) => split(range).map(formatClock))
  const spans = joinWithAnd(times.map(([open, close]) => `from ${open} to ${close}`))
  const when =
    to === undefined || to === from
      ? `on ${formatDate(from, DATE_WITH_DAY)} ${spans}`
      : `every day from ${formatDate(from, DATE_WITH_DAY)} to ${formatDate(to, DATE_WITH_DAY)}, ${spans}`
  return reason ? `${when} (${reason})` : when
}

const DATE = new Intl.DateTimeFormat('en-AU', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const DATE_WITH_DAY = new Intl.DateTimeFormat('en-AU', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A date that is not chosen yet is written in words. */
function formatDate(day: string, format: Intl.DateTimeFormat = DATE): string {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(ms) ? 'a day that is not chosen yet' : format.format(ms).replace(',', '')
}
