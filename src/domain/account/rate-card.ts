/** A courier's price list: zones of postcodes, weight steps, surcharges. Cents, GST included. */
export type RateCard = {
  /** By postcode, without overlaps. */
  zones: readonly { from: number; to: number; zone: string }[]
  /** Zone → its steps, lightest first. */
  steps: ReadonlyMap<string, readonly WeightStep[]>
  surcharges: readonly Surcharge[]
  /** kg per cubic metre; null: only dead weight is charged. */
  cubicKgPerM3: number | null
}

export type WeightStep = { upToKg: number; cents: number; centsPerExtraKg: number | null }

/** Once per consignment; per piece when it depends on a piece's weight or length. */
export type Surcharge = { name: string; when: SurchargeWhen; cents: number; percent: number }
export type SurchargeWhen =
  | { kind: 'always' | 'residential' | 'dangerous_goods' }
  | { kind: 'over_kg' | 'over_cm'; limit: number }

/** Null: the card has no zone there. */
export function findZone({ zones }: RateCard, postCode: string): string | null {
  const code = Number(postCode)
  let [low, high] = [0, zones.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = zones[middle] as RateCard['zones'][number]
    if (code < range.from) high = middle - 1
    else if (code > range.to) low = middle + 1
    else return range.zone
  }
  return null
}
