import type { FullManifest } from '../../../operations/manifests/get-manifest.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'

/** Converts a manifest into the API's Manifest. Fields without a value are undefined, which JSON omits. */
export function fromManifest(
  { manifest, deliveries }: FullManifest,
  { storeReference, summaryUrl }: { storeReference: string; summaryUrl: string | null },
): Record<string, unknown> {
  const { orderId, costCents, submittedAtMs, items } = manifest
  const manifested = manifest.state === 'submitted' ? manifest.deliveries : 0
  return {
    id: manifest.id,
    manifest_group: manifest.group,
    carrier_provider: manifest.carrierName,
    store_id: manifest.storeId,
    store_reference: storeReference,
    status: manifest.state,
    status_reason: manifest.stateReason ?? undefined,
    contains_dangerous_goods: manifest.dangerousGoods,
    counts: { deliveries: manifest.deliveries, manifested, items },
    delivery_ids: deliveries.map(({ deliveryId }) => deliveryId),
    external_ref: {
      order_id: orderId ?? undefined,
      order_summary: {
        number_of_items: items,
        total_cost: costCents === null ? undefined : costCents / 100,
      },
    },
    manifest_deliveries: deliveries.map((one) => ({
      delivery_id: one.deliveryId,
      reference: one.reference,
      consignment_number: one.consignmentNumber,
      gone_elsewhere: one.goneElsewhere || undefined,
      tracking_details: { article_id: one.articleIds[0], article_ids: one.articleIds },
    })),
    order_summary_url: summaryUrl ?? undefined,
    created_at: recordTime(manifest.createdAtMs),
    updated_at: recordTime(manifest.updatedAtMs),
    submitted_at: submittedAtMs === null ? undefined : recordTime(submittedAtMs),
  }
}
