import { RateCardDocument } from '../account/document/document-rate-card.ts'
import type { RateCardInput } from '../account/rate-card-sheet.ts'
import { compileRateCard } from '../account/snapshot/compile-carrier.ts'
import type { Facts } from './facts.ts'
import type { Job } from './job.ts'
import { cardLines } from './price.ts'

/** What one consignment costs by a card: to a house, one carton of little volume. Null: the card does not cover it. */
export type SamplePrice = { postCode: string; zone: string; kg: number; cents: number | null }

const SAMPLE_KG = [1, 5, 20]

/** Three consignments to the first zones of `of`, priced by `card`, so that two cards can be compared. */
export function samplePrices(card: RateCardInput | null, of: RateCardInput): SamplePrice[] {
  const zones = Object.entries(of.zones)
  const compiled = card === null ? null : compileRateCard(RateCardDocument.parse(card))
  return SAMPLE_KG.map((kg, index) => {
    const [zone, codes] = zones[index % zones.length] as [string, string[]]
    const postCode = (codes[0] as string).slice(0, 4)
    const lines =
      compiled && cardLines(compiled, toSampleJob(postCode, kg), { dangerousGoods: false } as Facts)
    return { postCode, zone, kg, cents: lines && lines.reduce((sum, line) => sum + line.cents, 0) }
  })
}

function toSampleJob(postCode: string, weightKg: number): Job {
  const parcel = { lengthCm: 10, widthCm: 10, heightCm: 10, weightKg, quantity: 1 }
  return { destination: { postCode, residential: true }, parcels: [parcel] } as unknown as Job
}
