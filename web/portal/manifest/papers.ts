import type { Delivery, Manifest, StoreService } from '../../shared/api.generated.ts'
import { hasDangerousGoods } from '../format-parcels.ts'

/** One manifest to submit: a carrier's group, dangerous goods apart if that carrier requires it. */
export type Paper = {
  key: string
  carrier: string
  group: string
  dangerous: boolean
  /** Today's cut-off, if the group's services have one. */
  closesMs: number | null
  deliveries: readonly Delivery[]
}

/** Splits the store's deliveries into manifests, the largest first. */
export function papersOf(deliveries: readonly Delivery[], services: readonly StoreService[]): Paper[] {
  const serviceOf = (one: Delivery) => services.find(({ carrier_code }) => carrier_code === one.carrier_code)
  const keyOf = (one: Delivery) => {
    const apart = (serviceOf(one)?.separate_dangerous_goods_manifest ?? false) && hasDangerousGoods(one)
    return `${one.provider} ${one.manifest_group} ${apart ? 'dangerous' : ''}`
  }
  const papers = [...Map.groupBy(deliveries, keyOf)].map(([key, theirs]): Paper => {
    const [first] = theirs as [Delivery]
    const closes = theirs.flatMap((one) => Date.parse(serviceOf(one)?.closes_at ?? '') || [])
    return {
      key,
      carrier: first.carrier_provider ?? '',
      group: first.manifest_group ?? '',
      dangerous: theirs.every(hasDangerousGoods),
      closesMs: closes.length > 0 ? Math.min(...closes) : null,
      deliveries: theirs.toSorted((a, b) => (a.reference < b.reference ? -1 : 1)),
    }
  })
  return papers.sort((a, b) => b.deliveries.length - a.deliveries.length || (a.key < b.key ? -1 : 1))
}

/** The deliveries of these manifests: a delivery names its manifest only once the carrier has confirmed it. */
export function heldBy(manifests: readonly Manifest[]): ReadonlySet<string> {
  return new Set(
    manifests
      .filter(({ status }) => !RESERVES_NOTHING.includes(status))
      .flatMap((one) => one.manifest_deliveries)
      .filter((one) => !one.moved_to_another_carrier)
      .map((one) => one.delivery_id),
  )
}

const RESERVES_NOTHING: readonly Manifest['status'][] = ['draft', 'refused', 'discarded']
