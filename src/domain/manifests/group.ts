/** A delivery that may go on a manifest, as far as the split depends on it. */
export type Candidate = {
  deliveryId: string
  provider: string
  manifestGroup: string
  /** One parcel with dangerous goods makes the whole consignment dangerous. */
  dangerousGoods: boolean
  /** Its carrier wants dangerous goods on manifests of their own. */
  apart: boolean
  units: number
  /** Units that its carrier takes on one manifest at most; null: any number. */
  mostUnits: number | null
}

/** What one manifest is to hold. */
export type Group<C extends Candidate> = {
  provider: string
  manifestGroup: string
  /** Whether any of it is dangerous. */
  dangerousGoods: boolean
  deliveries: readonly C[]
}

/**
 * Splits deliveries as their carriers want them handed over: one manifest for each carrier's group, another for its
 * dangerous goods where the carrier wants those apart, and as many of each as its limit of units makes of it. Order is
 * kept, within and between.
 */
export function manifestGroups<C extends Candidate>(candidates: readonly C[]): Group<C>[] {
  const together = Map.groupBy(candidates, keyOf)
  return [...together.values()].flatMap(withinLimit).map((deliveries) => {
    const [{ provider, manifestGroup }] = deliveries as [C, ...C[]]
    const dangerousGoods = deliveries.some((delivery) => delivery.dangerousGoods)
    return { provider, manifestGroup, dangerousGoods, deliveries }
  })
}

function withinLimit<C extends Candidate>(deliveries: readonly C[]): C[][] {
  const parts: C[][] = [[]]
  let units = 0
  for (const delivery of deliveries) {
    const isFull = delivery.mostUnits !== null && units > 0 && units + delivery.units > delivery.mostUnits
    if (isFull) parts.push([])
    units = (isFull ? 0 : units) + delivery.units
    parts.at(-1)?.push(delivery)
  }
  return parts
}

/** Whether a delivery may go on a manifest of these goods: where its carrier wants dangerous goods apart, among its like only. */
export function isOfGoods(
  { dangerousGoods, apart }: Pick<Candidate, 'dangerousGoods' | 'apart'>,
  manifest: Pick<Group<Candidate>, 'dangerousGoods'>,
): boolean {
  return !apart || dangerousGoods === manifest.dangerousGoods
}

function keyOf({ provider, manifestGroup, dangerousGoods, apart }: Candidate): string {
  return JSON.stringify([provider, manifestGroup, apart ? dangerousGoods : 'both'])
}
