import { record } from '../untyped-json.ts'

/** The input of cross-field rules, from a request or from a raw body. Absent is null. */
export type CrossFieldView = {
  storeId: unknown
  storeReference: unknown
  reference?: unknown
  address: { business: unknown; companyName: unknown; country: unknown }
  useStaffCouriers?: unknown
  staffCourier?: unknown
  providerOptions?: unknown
  parcels: readonly ParcelView[]
  metadata?: Readonly<Record<string, unknown>>
}

export type ParcelView = {
  reference: unknown
  quantity: unknown
  containsDangerousGoods: unknown
  dangerousGoods: unknown
}

/** Reads a body of any shape; never throws. */
export function viewOf(body: unknown): CrossFieldView {
  const raw = record(body)
  const address = record(raw.address)
  return {
    storeId: raw.store_id ?? null,
    storeReference: raw.store_reference ?? null,
    reference: raw.reference ?? null,
    address: {
      business: address.business ?? null,
      companyName: address.company_name ?? null,
      country: address.country ?? null,
    },
    useStaffCouriers: raw.use_staff_couriers ?? null,
    staffCourier: raw.staff_courier ?? null,
    providerOptions: raw.provider_options ?? null,
    parcels: Array.isArray(raw.parcels) ? raw.parcels.map(parcelView) : [],
    metadata: record(raw.metadata),
  }
}

function parcelView(value: unknown): ParcelView {
  const raw = record(value)
  return {
    reference: raw.reference ?? null,
    quantity: raw.quantity ?? null,
    containsDangerousGoods: raw.contains_dangerous_goods ?? null,
    dangerousGoods: raw.dangerous_goods ?? null,
  }
}
