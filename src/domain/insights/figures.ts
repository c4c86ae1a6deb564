/** Deliveries that ended in a period, counted by place, service, week and punctuality. Money includes GST. */
export type Tally = {
  storeId: string
  /** Null: the store's own couriers. */
  provider: string | null
  carrier: string | null
  service: string | null
  /** Monday of the week, `2026-11-23`. */
  week: string
  status: 'delivered' | 'returned'
  /**
   * The part of the promised window when it was delivered, an index into `BINS`; null without a window, or if
   * returned.
   */
  bin: number | null
  deliveries: number
  costCents: number
}

/** Two bins before the window, ten for its tenths, four after it. */
export const BINS = [
  'earlier',
  'early_30_min',
  ...Array.from({ length: 10 }, (_, tenth) => `tenth_${tenth + 1}`),
  'late_15_min',
  'late_30_min',
  'late_60_min',
  'later',
] as const

/** When a delivery with a window arrived, relative to the window. */
export const TIMELINESS = ['early', 'on_time', 'late'] as const
export type Timeliness = (typeof TIMELINESS)[number]

/** How a delivery ended. `lost`: its carrier reported it lost, and nobody has recorded an outcome since. */
export const ENDINGS = ['delivered', 'returned', 'cancelled', 'lost'] as const
export type Ending = (typeof ENDINGS)[number]

/** Cancelled or lost deliveries, which are not in the figures, and their quoted prices. */
export type UncountedFigures = { deliveries: number; quotedCents: number }

/** The provider name of the store's own couriers in queries. */
export const NOBODY = 'none'

const FIRST_ON_TIME = 2
const FIRST_LATE = 12

export type Figures = {
  deliveries: number
  /** Of these, the store's own couriers had. Nobody charges for them: an average leaves them out. */
  ownDeliveries: number
  costCents: number
  returned: number
  /** Deliveries that had a window and arrived. */
  deliveredWithWindow: number
  early: number
  onTime: number
  late: number
}

export type ServiceFigures = Figures & {
  provider: string | null
  carrier: string | null
  service: string | null
  /** The number of deliveries in each of `BINS`. */
  bins: number[]
}
export type WeekFigures = {
  week: string
  provider: string | null
  service: string | null
  deliveries: number
  costCents: number
}

/** The totals of all tallies. */
export function toFigures(tallies: readonly Tally[]): Figures {
  const count = (matches: (tally: Tally) => boolean) =>
    tallies.reduce((sum, tally) => (matches(tally) ? sum + tally.deliveries : sum), 0)
  return {
    deliveries: count(() => true),
    ownDeliveries: count(({ provider }) => provider === null),
    costCents: tallies.reduce((sum, { costCents }) => sum + costCents, 0),
    returned: count(({ status }) => status === 'returned'),
    deliveredWithWindow: count(({ bin }) => bin !== null),
    early: count(({ bin }) => bin !== null && bin < FIRST_ON_TIME),
    onTime: count(({ bin }) => bin !== null && bin >= FIRST_ON_TIME && bin < FIRST_LATE),
    late: count(({ bin }) => bin !== null && bin >= FIRST_LATE),
  }
}

/** Figures by service, the busiest first. */
export function byService(tallies: readonly Tally[]): ServiceFigures[] {
  const groups = [...Map.groupBy(tallies, ({ provider, service }) => `${provider} ${service}`).values()]
  const figures = groups.map((group) => {
    const { provider, carrier, service } = group[0] as Tally
    const bins = BINS.map(() => 0)
    for (const { bin, deliveries } of group) if (bin !== null) bins[bin] = (bins[bin] ?? 0) + deliveries
    return { provider, carrier, service, ...toFigures(group), bins }
  })
  return figures.sort((a, b) => b.deliveries - a.deliveries)
}

/** The cost of a delivery by week and service, oldest first. */
export function byWeek(tallies: readonly Tally[]): WeekFigures[] {
  const groups = [
    ...Map.groupBy(tallies, ({ week, provider, service }) => `${week} ${provider} ${service}`).values(),
  ]
  const weeks = groups.map((group) => {
    const { week, provider, service } = group[0] as Tally
    const { deliveries, costCents } = toFigures(group)
    return { week, provider, service, deliveries, costCents }
  })
  return weeks.sort((a, b) => (a.week === b.week ? b.deliveries - a.deliveries : a.week < b.week ? -1 : 1))
}

/** Figures by store, the busiest first. */
export function byStore(tallies: readonly Tally[]): (Figures & { storeId: string })[] {
  const groups = [...Map.groupBy(tallies, ({ storeId }) => storeId)]
  const figures = groups.map(([storeId, group]) => ({ storeId, ...toFigures(group) }))
  return figures.sort((a, b) => b.deliveries - a.deliveries)
}
