/** A delivery that may go on a manifest, as far as the split depends on it. */
export type Candidate = {
  deliveryId: string
  provider: string
  manifestGroup: string
  /** One parcel with dangerous goods makes the whole consignment dangerous. */
  dangerousGoods: boolean
  /** Its carrier wants dangerous goods on manifests of their own. */
  apart: boolean
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
 * Splits deliveries as their carriers want them handed over: one manifest for each carrier's group, and
 * another for its dangerous goods where the carrier wants those apart. Order is kept, within and between.
 */
export function manifestGroups<C extends Candidate>(candidates: readonly C[]): Group<C>[] {
  const together = Map.groupBy(candidates, keyOf)
  return [...together.values()].map((deliveries) => {
    const [{ provider, manifestGroup }] = deliveries as [C, ...C[]]
    const dangerousGoods = deliveries.some((delivery) => delivery.dangerousGoods)
    return { provider, manifestGroup, dangerousGoods, deliveries }
  })
}

function keyOf({ provider, manifestGroup, dangerousGoods, apart }: Candidate): string {
  return JSON.stringify([provider, manifestGroup, apart ? dangerousGoods : 'both'])
}
