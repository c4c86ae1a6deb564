/**
 * Segregation of dangerous goods on manifests, and the split by group and size: a delivery that may go on a manifest,
 * with the fields that the split depends on. Which classes may travel together is the carrier's to check.
 */
export type Candidate = {
  deliveryId: string
  provider: string
  manifestGroup: string
  /** One parcel with dangerous goods makes the whole consignment dangerous. */
  dangerousGoods: boolean
  /** Its carrier requires separate manifests for dangerous goods. */
  apart: boolean
  units: number
  /** Maximum units that its carrier accepts on one manifest; null: any number. */
  maxUnits: number | null
}

/** The contents of one manifest. */
export type Group<C extends Candidate> = {
  provider: string
  manifestGroup: string
  /** Whether any of its consignments is dangerous. */
  dangerousGoods: boolean
  deliveries: readonly C[]
}

/**
 * Splits deliveries into manifests as their carriers require: one for each carrier's group, a separate one
 * for dangerous goods where the carrier requires it, and more where the carrier's limit of units requires it.
 * Keeps the order, within and between manifests.
 */
export function manifestGroups<C extends Candidate>(candidates: readonly C[]): Group<C>[] {
  const together = Map.groupBy(candidates, toGroupKey)
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
    const isFull = delivery.maxUnits !== null && units > 0 && units + delivery.units > delivery.maxUnits
    if (isFull) parts.push([])
    units = (isFull ? 0 : units) + delivery.units
    parts.at(-1)?.push(delivery)
  }
  return parts
}

/**
 * Whether a delivery may go on this manifest: a carrier that separates dangerous goods does not allow both
 * kinds on one.
 */
export function isOfGoods(
  { dangerousGoods, apart }: Pick<Candidate, 'dangerousGoods' | 'apart'>,
  manifest: Pick<Group<Candidate>, 'dangerousGoods'>,
): boolean {
  return !apart || dangerousGoods === manifest.dangerousGoods
}

function toGroupKey({ provider, manifestGroup, dangerousGoods, apart }: Candidate): string {
  return JSON.stringify([provider, manifestGroup, apart ? dangerousGoods : 'both'])
}
