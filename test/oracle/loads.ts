import type { DangerousGoods } from '../../src/domain/dangerous-goods/dangerous-goods.ts'
import type { Job, JobParcel } from '../../src/domain/quoting/job.ts'
import type { ProductType } from '../../src/domain/values.ts'

/** The loads of the cases: each one tests a limit, a charge or a rule. */
export type Load = Pick<Job, 'parcels' | 'productTypes' | 'declaredValueCents'>

const carton: JobParcel = {
  reference: 'BOX',
  type: 'carton',
  lengthCm: 30,
  widthCm: 20,
  heightCm: 10,
  weightKg: 1,
  quantity: 1,
  dangerousGoods: null,
}

const pallet: JobParcel = {
  ...carton,
  type: 'pallet',
  lengthCm: 117,
  widthCm: 117,
  heightCm: 143,
  weightKg: 312.5,
}

export const LOADS: Readonly<Record<string, Load>> = {
  'a small carton': load(carton),
  'a satchel of 350 g': load({ ...carton, type: 'satchel', weightKg: 0.35, heightCm: 3 }),
  '12 kg, 30 kg cubic': load({ ...carton, lengthCm: 60, widthCm: 50, heightCm: 40, weightKg: 12 }),
  'cubic and dead in one consignment': load(
    { ...carton, weightKg: 7.301, quantity: 2 },
    { ...carton, lengthCm: 55, widthCm: 41, heightCm: 33, weightKg: 0.4 },
  ),
  'five cartons': load({ ...carton, weightKg: 2.49, quantity: 5 }),
  'seven cartons': load({ ...carton, quantity: 7 }),
  'exactly 22 kg': load({ ...carton, weightKg: 22 }),
  '25 kg in one carton': load({ ...carton, weightKg: 25 }),
  'just over 20 kg in all': load({ ...carton, weightKg: 10.01, quantity: 2 }),
  'a length of 105 cm': load({ ...carton, type: 'length', lengthCm: 105 }),
  'a length of 106 cm': load({ ...carton, type: 'length', heightCm: 106 }),
  '0.25 m³': load({ ...carton, lengthCm: 100, widthCm: 50, heightCm: 50, weightKg: 5 }),
  'over 0.25 m³': load({ ...carton, lengthCm: 100, widthCm: 51, heightCm: 50, weightKg: 5 }),
  'a pallet': load(pallet),
  'two skids': load({ ...pallet, type: 'skid', weightKg: 600.4, heightCm: 90, quantity: 2 }),
  'a pallet over 1000 kg': load({ ...pallet, weightKg: 1000.5 }),
  'a pallet with corrosives': load({ ...pallet, dangerousGoods: goods('8', false) }),
  'a pallet and a carton': load(pallet, carton),
  'lithium batteries': load({ ...carton, weightKg: 3.2, dangerousGoods: goods('9', true) }),
  'class 9 not by air': load({ ...carton, dangerousGoods: goods('9', false) }),
  perfumery: load({ ...carton, weightKg: 1.5, dangerousGoods: goods('3', false) }, carton),
  aerosols: load({ ...carton, dangerousGoods: goods('2.1', false) }),
  'a toxic class': load({ ...carton, dangerousGoods: goods('6.1', true) }),
  alcohol: of('alcohol'),
  tobacco: of('tobacco'),
  'S2 medicine': of('prescription_meds_s2'),
  'S4 medicine': of('prescription_meds_s4'),
  'S8 medicine': of('prescription_meds_s8'),
  'high value': of('high_value'),
  'alcohol and high value': of('alcohol', 'high_value'),
  'declared 5,000.00': { ...load(carton), declaredValueCents: 5000_00 },
  'declared 5,000.01': { ...load(carton), declaredValueCents: 5000_01 },
}

function load(...parcels: JobParcel[]): Load {
  return { parcels, productTypes: new Set(), declaredValueCents: null }
}

function of(...productTypes: ProductType[]): Load {
  return { ...load({ ...carton, weightKg: 1.2 }), productTypes: new Set(productTypes) }
}

function goods(classDivision: string, transportableByAir: boolean): DangerousGoods {
  return {
    definition: 'named',
    unNumber: 'UN1950',
    technicalName: 'Goods',
    classDivision,
    subsidiaryRisk: null,
    packingGroup: 'II',
    transportableByAir,
    netWeightKg: null,
    outerPackagingType: 'carton',
    outerPackagingQuantity: null,
    declaration: null,
  }
}
