import { formatDay, formatHours, wallOfIso } from '../../../src/domain/calendar/format-window.ts'
import type { SimulationAnswer } from '../../shared/api.generated.ts'
import { count } from '../../shared/count.ts'
import { dollars } from '../../shared/money.ts'

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

/** What last week would have cost: "12 of 214 deliveries would have gone another way, for $60.70 less." */
export function toLastWeekSentence(week: LastWeek): string {
  if (week.deliveries === 0) return 'There were no carrier deliveries in the last seven days.'
  const more = week.cost_cents_after - week.cost_cents_before
  const cost =
    more === 0
      ? 'The cost would have been the same.'
      : `Carriers would have charged ${dollars(Math.abs(more))} ${more > 0 ? 'more' : 'less'}: ${dollars(week.cost_cents_after)} instead of ${dollars(week.cost_cents_before)}.`
  const all = count(week.deliveries, 'delivery', 'deliveries')
  if (week.changed_deliveries === 0)
    return `${week.deliveries === 1 ? 'The only delivery' : `All ${all}`} from the last seven days would have gone with the same carrier and service. ${cost}`
  return `${week.changed_deliveries} of ${all} from the last seven days would have gone with another carrier or service. ${cost}`
}

/** `Saturday 28 November`, `would now arrive on Monday 30 November`; with the hours if the day is the same. */
function toClauses({ before, after, promised }: Changed, today: number): { from: string; to: string } {
  const old = wallsOf(promised ?? before.window)
  const oldDay = formatDay(old.from.day, today)
  if (!after) return { from: oldDay, to: 'could no longer be made.' }
  const next = wallsOf(after.window)
  if (next.from.day !== old.from.day)
    return { from: oldDay, to: `would now arrive ${onDay(formatDay(next.from.day, today))}.` }
  return {
    from: `${oldDay}, ${formatHours(old)},`,
    to: `would now arrive ${formatHours(next)}.`,
  }
}

function wallsOf({ from, to }: Changed['before']['window']) {
  return { from: wallOfIso(from), to: wallOfIso(to) }
}

function onDay(day: string): string {
  return day === 'today' || day === 'tomorrow' ? day : `on ${day}`
}
