import type { DeliveryType, ProductType, RateZone } from '../../src/domain/values.ts'
import type { OracleTiming } from './windows.ts'

type PerZone = Record<RateZone, number>

/** A service by the demo account's table; an absent field means no limit, no charge, or not accepted. */
export type OracleService = {
  name: string
  provider: string
  type: DeliveryType
  timing: OracleTiming
  baseCents: PerZone
  km?: { included: number; cents: number }
  kg?: { included: number; cents: PerZone }
  fuelPermille: number
  residentialCents: number
  dangerousGoodsCents: number
  radiusKm?: number
  totalKg?: number
  parcelKg?: number
  sideCm?: number
  parcelCm3?: number
  parcels?: number
  pallets: 'only' | 'never' | 'as any'
  goods: readonly ProductType[]
  classes: readonly string[]
  byAir: boolean
  over5000: boolean
}

const NO_CHARGES = { fuelPermille: 0, residentialCents: 0, dangerousGoodsCents: 0 }
const FOUR_CLASSES = ['2.1', '3', '8', '9']
const SOUTHERN = {
  provider: 'southern_parcels',
  parcelKg: 22,
  sideCm: 105,
  parcelCm3: 250_000,
  pallets: 'never',
} as const
const SWIFTLY = {
  ...NO_CHARGES,
  provider: 'swiftly',
  radiusKm: 20,
  pallets: 'as any',
  classes: [],
  byAir: false,
} as const

export const SERVICES: readonly OracleService[] = [
  {
    ...SWIFTLY,
    name: 'NOW',
    type: 'fast',
    timing: {
      kind: 'after pickup',
      leadMinutes: 20,
      minutesPerKm: 3,
      windowMinutes: 60,
      onTheRoad: ['08:00', '21:00'],
    },
    baseCents: anywhere(890),
    km: { included: 3, cents: 120 },
    totalKg: 20,
    sideCm: 60,
    parcels: 4,
    goods: ['alcohol', 'tobacco', 'prescription_meds_s2', 'prescription_meds_s4', 'high_value'],
    over5000: true,
  },
  {
    ...SWIFTLY,
    name: 'TODAY',
    type: 'flexible',
    timing: { kind: 'on day', cutOff: '12:30', days: anywhere(0), from: '14:00', to: '20:00' },
    baseCents: anywhere(790),
    km: { included: 5, cents: 70 },
    totalKg: 25,
    sideCm: 100,
    parcels: 6,
    goods: ['prescription_meds_s2'],
    over5000: false,
  },
  {
    ...NO_CHARGES,
    ...SOUTHERN,
    name: 'ROAD',
    type: 'standard',
    timing: { kind: 'on day', cutOff: '15:00', days: perZone(1, 2, 3, 6), from: '08:00', to: '18:00' },
    baseCents: perZone(950, 1150, 1350, 1950),
    kg: { included: 1, cents: perZone(45, 60, 95, 180) },
    fuelPermille: 85,
    dangerousGoodsCents: 1500,
    goods: ['prescription_meds_s2'],
    classes: FOUR_CLASSES,
    byAir: false,
    over5000: false,
  },
  {
    ...NO_CHARGES,
    ...SOUTHERN,
    name: 'AIR',
    type: 'express',
    timing: { kind: 'on day', cutOff: '16:00', days: perZone(1, 1, 1, 2), from: '08:00', to: '18:00' },
    baseCents: perZone(1450, 1750, 2150, 3450),
    kg: { included: 1, cents: perZone(120, 160, 290, 480) },
    fuelPermille: 110,
    goods: ['high_value'],
    classes: ['9'],
    byAir: true,
    over5000: true,
  },
  {
    name: 'FREIGHT',
    provider: 'big_haul',
    type: 'standard',
    timing: { kind: 'on day', cutOff: '12:00', days: perZone(2, 3, 5, 9), from: '07:00', to: '17:00' },
    baseCents: anywhere(4500),
    kg: { included: 0, cents: anywhere(38) },
    fuelPermille: 140,
    residentialCents: 4500,
    dangerousGoodsCents: 0,
    parcelKg: 1000,
    pallets: 'only',
    goods: [],
    classes: FOUR_CLASSES,
    byAir: false,
    over5000: false,
  },
]

/** Availability's table: what each type promises before any carrier is called. */
export const TYPES: Record<DeliveryType, OracleTiming> = {
  fast: { kind: 'after pickup', leadMinutes: 30, minutesPerKm: 0, windowMinutes: 180, lastPickup: '17:00' },
  flexible: { kind: 'on day', cutOff: '13:00', days: anywhere(0), from: '13:00', to: '20:00' },
  standard: { kind: 'on day', cutOff: '15:00', days: anywhere(3), from: '08:00', to: '18:00' },
  express: { kind: 'on day', cutOff: '16:00', days: anywhere(1), from: '08:00', to: '18:00' },
}

export function anywhere(value: number): PerZone {
  return perZone(value, value, value, value)
}

function perZone(same_metro: number, same_state: number, interstate_capital: number, rest: number): PerZone {
  return { same_metro, same_state, interstate_capital, rest }
}
