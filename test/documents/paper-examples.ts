import type { ConsignmentNote } from '../../src/documents/consignment-note.ts'
import type { DeclaredGoods, GoodsDeclaration } from '../../src/documents/dangerous-goods-declaration.ts'
import type { OrderSummary, SummaryLine } from '../../src/documents/order-summary.ts'
import type { ProofOfDelivery } from '../../src/documents/proof-of-delivery.ts'
import { LABEL } from './label-examples.ts'

/** One valid document of each kind, for tests to spread and change. */
export const LINE: SummaryLine = {
  reference: 'WC-1',
  consignmentNumber: 'SP1',
  to: 'Footscray VIC 3011',
  units: 2,
  weightKg: 4.2,
  articleIds: ['SP1001', 'SP1002'],
  dangerousGoods: '',
}
export const SUMMARY: OrderSummary = {
  carrierName: 'Southern Parcels',
  group: 'SOUTHERN-ROAD',
  dangerousGoods: false,
  manifestId: 'man_01jdexample0000000000000a1',
  orderId: 'SPO1',
  sandbox: false,
  store: { name: 'Fitzroy', place: '250 Brunswick St, Fitzroy' },
  madeAt: '2026-11-24T16:02:00+11:00',
  submittedAt: '2026-11-24T16:03:00+11:00',
  totalCost: 1128.5,
  lines: [LINE],
}
export const GOODS: DeclaredGoods = {
  parcelReference: 'BOX-1',
  unNumber: 'UN0404',
  properShippingName: 'Flares, aerial',
  classDivision: '1.4S',
  subsidiaryRisk: null,
  packingGroup: null,
  packages: 3,
  packaging: 'carton',
  quantity: { kg: 0.1 + 0.2, of: 'net' },
  declaration: null,
  particulars: null,
}
export const DECLARATION: GoodsDeclaration = {
  carrierName: 'Southern Parcels',
  serviceCode: 'SP-ROAD',
  byAir: false,
  consignmentNumber: 'SP1',
  reference: 'WC-1',
  sandbox: false,
  date: '2026-11-24',
  consignor: LABEL.from,
  consignee: LABEL.to,
  goods: [GOODS],
}

export const PARCEL: ConsignmentNote['parcels'][number] = {
  reference: 'BOX-1',
  type: 'carton',
  quantity: 2,
  size: '30 × 20 × 10',
  weightKg: 2.5,
  dangerousGoods: '',
  articleIds: ['BOB1001', 'BOB1002'],
}
export const NOTE: ConsignmentNote = {
  carrierName: 'Bob’s Couriers',
  serviceName: 'Same day',
  consignmentNumber: 'BOB1',
  reference: 'WC-1',
  sandbox: true,
  from: { name: 'Fitzroy', phone: '+61390000000', lines: ['250 Brunswick St', 'Fitzroy VIC 3065'] },
  to: { name: 'Sam', phone: '+61491570110', lines: ['1 Kerr St', 'Fitzroy VIC 3065'] },
  ready: 'Tue 24 Nov, 2 pm',
  deliver: 'by 5 pm',
  instructions: ['Leave at the door.'],
  parcels: [PARCEL],
}
export const PROOF: ProofOfDelivery = {
  reference: 'WC-1',
  deliveryId: 'dlv_01jdexample0000000000000a1',
  consignmentNumber: 'OWN1',
  store: 'Fitzroy',
  from: 'Fitzroy',
  to: 'Sam, 1 Kerr St, Fitzroy VIC 3065',
  driverName: 'Kim',
  how: 'Signature',
  signedBy: 'Sam',
  deliveredAt: '2026-11-24T16:02:00+11:00',
  receivedAt: '2026-11-24T16:02:05+11:00',
  position: null,
  image: null,
  strokes: [[0, 0, 1000, 400]],
  sandbox: false,
}
