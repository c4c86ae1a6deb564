import type { Article } from '../../domain/delivery/delivery.ts'
import type { RequestParcel } from '../../domain/delivery/request.ts'
import type { Db } from '../db/db.ts'
import { CONSIGNED_SNAPSHOT } from './manifests.ts'

/** A delivery as a line of the order summary. */
export type ManifestLine = {
  reference: string
  units: number
  /** The carrier's order names it, and the delivery is not with that carrier any more. */
  movedToAnotherCarrier: boolean
  consignmentNumber: string
  suburb: string
  state: string
  postCode: string
  customerPickup: boolean
  accountVersion: number
  parcels: Pick<RequestParcel, 'quantity' | 'weightKg' | 'dangerousGoods'>[]
  articles: Article[]
  /** What its carrier asks for it; null while that is not known. */
  costCents: number | null
}

/** The lines of a manifest, in the order its deliveries were made. */
export async function listManifestLines(
  db: Db,
  accountId: string,
  manifestId: string,
): Promise<ManifestLine[]> {
  const { rows } = await db.query<ManifestLine>({
    name: 'list-manifest-lines',
    text: `select d.reference, m.units, m.consigned_snapshot is not null as "movedToAnotherCarrier", ${CONSIGNED_SNAPSHOT},
        d.content->'address'->>'city' as suburb, d.content->'address'->>'state' as state,
        d.content->'address'->>'postCode' as "postCode", d.delivery_mode = 'customer_pickup' as "customerPickup",
        coalesce((m.consigned_snapshot->>'accountVersion')::int, d.account_version) as "accountVersion",
        coalesce(m.consigned_snapshot->'parcels', d.content->'parcels') as parcels,
        (case when m.consigned_snapshot is null then d.chosen else m.consigned_snapshot end->>'costCents')::float8 as "costCents"
      from manifest_deliveries as m join deliveries as d using (account_id, delivery_id)
      where m.account_id = $1 and m.manifest_id = $2 order by m.delivery_id`,
    values: [accountId, manifestId],
  })
  return rows
}
