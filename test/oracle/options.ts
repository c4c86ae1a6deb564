import type { ExclusionRule } from '../../src/domain/quoting/decision.ts'
import type { Job, JobParcel } from '../../src/domain/quoting/job.ts'
import { DELIVERY_TYPES, type DeliveryType, type Window } from '../../src/domain/values.ts'
import { earliestPickup } from './hours.ts'
import { greatCircleKm, rateZone, zoneNameAt } from './places.ts'
import { type OraclePrice, pricesOf } from './prices.ts'
import { type OracleService, SERVICES, TYPES } from './services.ts'
import type { OracleStore } from './stores.ts'
import { type OracleTimes, type OracleTiming, timesOf } from './windows.ts'

export type OracleAnswer =
  | { service: OracleService; excludedBy: ExclusionRule[] }
  | { service: OracleService; excludedBy: null; times: OracleTimes; price: OraclePrice }

/** The expected answer for every service. */
export function quoteSlowly(store: OracleStore, job: Job, nowMs: number): OracleAnswer[] {
  const to = journeyTo(store, job)
  return SERVICES.map((service) => {
    const excludedBy = failing(service, job, to.km)
    if (excludedBy.length > 0) return { service, excludedBy }
    const earliestMs = earliestPickup(store, {
      readyMs: job.readyForPickupAtMs,
      nowMs,
      ignoreBuffer: job.ignoreBufferTime,
      carrierMs: job.carrierReadyMs.get(service.provider),
    })
    const times = timesOf(service.timing, { store, to }, earliestMs)
    if (!times) return { service, excludedBy: ['operating_hours', 'cut_off'] }
    return {
      service,
      excludedBy: null,
      times,
      price: pricesOf(service, { ...to, ...job.destination }, job.parcels),
    }
  })
}

/** The window of each delivery type, for any load. */
export function availabilitySlowly(
  store: OracleStore,
  job: Job,
  nowMs: number,
  types: Record<DeliveryType, OracleTiming> = TYPES,
): Partial<Record<DeliveryType, Window>> {
  const to = journeyTo(store, job)
  const readyMs = job.readyForPickupAtMs
  const earliestMs = earliestPickup(store, { readyMs, nowMs, ignoreBuffer: job.ignoreBufferTime })
  const windows = DELIVERY_TYPES.map((type) => [
    type,
    timesOf(types[type], { store, to }, earliestMs)?.window,
  ])
  return Object.fromEntries(windows)
}

/** The store is the delivery destination of a customer pickup. */
function journeyTo(store: OracleStore, { mode, destination }: Job) {
  const km = greatCircleKm(store, destination)
  if (mode === 'customer_pickup')
    return { state: store.state, zone: store.zone, km, rateZone: rateZone(destination, store) }
  const zone = zoneNameAt(destination)
  return { state: destination.state, zone, km, rateZone: rateZone(store, destination) }
}

function failing(service: OracleService, job: Job, km: number): ExclusionRule[] {
  const { parcels } = job
  const goods = parcels.flatMap(({ dangerousGoods }) => dangerousGoods ?? [])
  const rules: [ExclusionRule, boolean][] = [
    ['service_area', km > (service.radiusKm ?? Infinity)],
    ['parcel_type', parcels.some(({ type }) => !takesType(service, type))],
    ['parcel_count', sum(parcels, () => 1) > (service.parcels ?? Infinity)],
    ['parcel_weight', parcels.some(({ weightKg }) => weightKg > (service.parcelKg ?? Infinity))],
    ['total_weight', sum(parcels, ({ weightKg }) => weightKg * 1000) / 1000 > (service.totalKg ?? Infinity)],
    [
      'parcel_side',
      parcels.some((p) => Math.max(p.lengthCm, p.widthCm, p.heightCm) > (service.sideCm ?? Infinity)),
    ],
    [
      'parcel_volume',
      parcels.some((p) => p.lengthCm * p.widthCm * p.heightCm > (service.parcelCm3 ?? Infinity)),
    ],
    ['dangerous_goods', goods.some(({ classDivision }) => !service.classes.includes(classDivision))],
    ['dangerous_goods_air', service.byAir && goods.some(({ transportableByAir }) => !transportableByAir)],
    ['product_types', [...job.productTypes].some((type) => !service.goods.includes(type))],
    ['declared_value', !service.over5000 && (job.declaredValueCents ?? 0) > 5000_00],
  ]
  return rules.filter(([, fails]) => fails).map(([rule]) => rule)
}

function takesType({ pallets }: OracleService, type: JobParcel['type']): boolean {
  const isPallet = type === 'pallet' || type === 'skid'
  return pallets === 'as any' || isPallet === (pallets === 'only')
}

function sum(parcels: readonly JobParcel[], of: (parcel: JobParcel) => number): number {
  return parcels.reduce((total, parcel) => total + of(parcel) * parcel.quantity, 0)
}
