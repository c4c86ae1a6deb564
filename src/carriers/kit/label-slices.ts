/** The shipments whose labels are requested, and which items of each; absent: all items. */
type LabelledShipment = { shipment_id: string; items?: readonly { item_id: string }[] }
export type LabelSlice = readonly LabelledShipment[]

type Listed = { shipments: readonly Required<LabelledShipment>[] }

/** The items of listed shipments, in order, at most `max` in each slice. */
export function labelSlices(max: number) {
  return ({ shipments }: Listed): LabelSlice[] => {
    const items = shipments.flatMap(({ shipment_id, items }) => items.map((item) => ({ shipment_id, item })))
    return Array.from({ length: Math.ceil(items.length / max) }, (_, part) => {
      const own = Map.groupBy(items.slice(part * max, (part + 1) * max), ({ shipment_id }) => shipment_id)
      return [...own].map(([shipment_id, each]) => ({ shipment_id, items: each.map(({ item }) => item) }))
    })
  }
}
