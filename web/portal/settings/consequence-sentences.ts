import {
  formatClock,
  formatDay,
  type WallWindow,
  wallOfIso,
} from '../../../src/domain/calendar/format-window.ts'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import type { SimulationAnswer } from '../../shared/api.generated.ts'
import { count } from '../../shared/count.ts'
import { formatList } from '../../shared/format-list.ts'

type Simulation = SimulationAnswer['data']
type Changed = Simulation['unbooked']['changed'][number]
type LastWeek = NonNullable<Simulation['last_week']>
type Named = { text: string; deliveries: readonly Pick<Changed, 'id' | 'reference'>[] }

/**
 * What the changes would mean for the promises already made: "2 deliveries promised for Saturday 28 November would now
 * go on Monday 30 November." `today`: days since 1970-01-01.
 */
export function toConsequences({ unbooked }: Simulation, today: number): Named[] {
  const groups = Map.groupBy(unbooked.changed, (one) => {
    const { from, to } = toClauses(one, today)
    return JSON.stringify([from, to])
  })
  return [...groups.values()].map((deliveries) => {
    const { from, to } = toClauses(deliveries[0] as Changed, today)
    return {
      text: `${count(deliveries.length, 'delivery', 'deliveries')} promised for ${from} ${to}`,
      deliveries,
    }
  })
}

/**
 * What last week would have cost: "12 of 214 deliveries would have gone with another carrier or service", for how much, and
 * which deliveries no service could have taken. The first figures leave those out.
 */
export function toLastWeekSentences(week: LastWeek): string {
  const { unavailable_deliveries: unavailable, unknown_deliveries: unknown, deliveries } = week
  if (deliveries + unavailable + unknown === 0)
    return 'There were no carrier deliveries in the last seven days.'
  return [
    ...(deliveries === 0 ? [] : [toChangedSentence(week), toCostSentence(week)]),
    ...(unavailable === 0 ? [] : [toUnavailableSentence(week)]),
    ...(unknown === 0 ? [] : [toUnknownSentence(week)]),
  ].join(' ')
}

function toChangedSentence(week: LastWeek): string {
  const { deliveries, changed_deliveries: changed } = week
  const isAll = changed === 0 || changed === deliveries
  const whose = deliveries === 1 ? 'its' : 'their'
  const outcome = changed === 0 ? `kept ${whose} carrier and service` : 'gone with another carrier or service'
  const newest = week.is_complete ? '' : 'the newest '
  const all = `${newest}${count(deliveries, 'delivery', 'deliveries')}`
  // Others could not be taken or compared: these are not all.
  const isWhole = week.unavailable_deliveries + week.unknown_deliveries === 0
  const whole = isWhole ? (deliveries === 1 ? 'The only delivery' : `All ${all}`) : capital(all)
  const which = isAll ? whole : `${changed.toLocaleString('en-AU')} of ${all}`
  return `${which} from the last seven days would have ${outcome}.`
}

function toUnavailableSentence({
  deliveries,
  unavailable_deliveries: number,
  unavailable,
}: LastWeek): string {
  const which =
    deliveries === 0
      ? `${count(number, 'delivery', 'deliveries')} from the last seven days`
      : count(number, 'other delivery', 'other deliveries')
  const names = unavailable.map(({ reference }) => reference)
  // The answer lists only some of many.
  const named = names.length < number ? names.slice(0, 2) : names
  const rest = number - named.length
  const list =
    names.length < number ? `${named.join(', ')} and ${rest.toLocaleString('en-AU')} more` : formatList(names)
  return `${which} couldn’t have gone with any service: ${list}.`
}

function toUnknownSentence(week: LastWeek): string {
  const { unknown_deliveries: number, unknown } = week
  const which =
    week.deliveries + week.unavailable_deliveries === 0
      ? `${count(number, 'delivery', 'deliveries')} from the last seven days`
      : count(number, 'other delivery', 'other deliveries')
  return `${which} can’t be compared, because we don’t know the live prices of ${carriersOf(unknown)}.`
}

function carriersOf(deliveries: readonly Changed[]): string {
  return formatList([...new Set(deliveries.flatMap((one) => one.unknown_carriers))])
}

function toCostSentence(week: LastWeek): string {
  const more = week.cost_cents_after - week.cost_cents_before
  return more === 0
    ? 'The cost would have been the same.'
    : `Carriers would have charged ${formatDollars(Math.abs(more))} ${more > 0 ? 'more' : 'less'}: ${formatDollars(week.cost_cents_after)} instead of ${formatDollars(week.cost_cents_before)}.`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `Saturday 28 November`, `would now arrive on Monday 30 November`; with the hours if the day is the same. */
function toClauses(changed: Changed, today: number): { from: string; to: string } {
  const { before, after, promised, unknown_carriers: carriers } = changed
  const old = wallsOf(promised ?? before.window)
  const oldDay = formatDay(old.from.day, today)
  if (!after && carriers.length > 0) {
    const why = `because we don’t know the live prices of ${formatList(carriers)}`
    return { from: oldDay, to: `can’t be checked, ${why}.` }
  }
  if (!after) return { from: oldDay, to: 'could no longer be made.' }
  const next = wallsOf(after.window)
  if (next.from.day !== old.from.day)
    return { from: oldDay, to: `would now arrive ${onDay(formatDay(next.from.day, today))}.` }
  return {
    from: `${oldDay} between ${betweenText(old)}`,
    to: `would now arrive between ${betweenText(next)}.`,
  }
}

function wallsOf({ from, to }: Changed['before']['window']) {
  return { from: wallOfIso(from), to: wallOfIso(to) }
}

/** `1 pm and 5 pm` */
function betweenText({ from, to }: WallWindow): string {
  return `${formatClock(from)} and ${formatClock(to)}`
}

function onDay(day: string): string {
  return day === 'today' || day === 'tomorrow' ? day : `on ${day}`
}
